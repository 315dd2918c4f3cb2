//===----------------------------------------------------------------------===//
// Reading of requests, and what is done for one.
//===----------------------------------------------------------------------===//

#include "Serve.h"

#include "../lib/OutputFile.h"
#include "Compare.h"
#include "FiniteElements.h"
#include "RandomInputs.h"
#include "stof/Runtime/HostRun.h"
#include "stof/Support/ParseJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

namespace {

struct Request {
  std::string reference;
  std::vector<std::string> packages;
  int64_t repeat = 0;
  int64_t seed = 0;
};

/// A package ready to run, or why it is not.
struct Loaded {
  std::shared_ptr<Program> program;
  std::string error;
};

/// Inputs and the results on them.
struct Draw {
  OwnedTensors inputs, results;
  /// The smallest share of finite elements in a result, and its number.
  double finite = 1;
  size_t least = 0;
};

/// What packages of a request are compared on, for the next request as well if
/// it is the same there.
struct Reference {
  /// Of the package: the manifest has the hashes of all its files.
  std::string manifest;
  int64_t seed = 0;
  Draw drawn;
};

class Server {
public:
  explicit Server(std::shared_ptr<Device> device) : device(std::move(device)) {}

  /// Fails if no further request can be answered.
  Error answer(StringRef line);

private:
  Error refuse(Error reason, const Program *program);
  Error runReference(std::shared_ptr<Program> &program);
  Error measure(size_t index, Loaded loaded);
  Expected<json::Object> run(const std::shared_ptr<Program> &program);

  std::shared_ptr<Device> device;
  Request request;
  std::optional<Reference> reference;
};

} // namespace

static bool fromJSON(const json::Value &value, Request &request,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("reference", request.reference) &&
         mapper.map("packages", request.packages) &&
         mapper.map("repeat", request.repeat) &&
         mapper.map("seed", request.seed);
}

static Expected<Request> parseRequest(StringRef line) {
  constexpr StringLiteral expected =
      R"(expects a request {"reference": "ref", "packages": [], "repeat": 1, )"
      R"("seed": 0}, but got )";
  Expected<json::Value> value = parseJson(line);
  if (!value)
    return createStringError(expected + toString(value.takeError()));
  Request request;
  json::Path::Root root("request");
  if (!fromJSON(*value, request, root))
    return createStringError(expected + toString(root.getError()));
  if (request.repeat < 1 || !isUInt<32>(request.repeat))
    return createStringError("expects 'repeat' to be from 1 to 4294967295, but "
                             "got " +
                             Twine(request.repeat));
  return request;
}

/// Prints a line, and does not return before it has left the process.
static Error print(json::Object answer) {
  outs() << json::Value(std::move(answer)) << "\n";
  return flushStandardOutput();
}

static json::Object describe(Error error) {
  return json::Object{{"error", json::fixUTF8(toString(std::move(error)))}};
}

/// An error unless the device can go on after a failed run of `program`.
static Error checkDevice(const Program &program) {
  return handleErrors(program.getExecutable().synchronize(),
                      [](const CheckFailure &) {});
}

static Expected<std::shared_ptr<Program>> load(Expected<Package> package,
                                               std::shared_ptr<Device> device) {
  if (!package)
    return package.takeError();
  return Program::load(std::make_shared<const Package>(std::move(*package)),
                       /*name=*/"", std::move(device));
}

/// Loads in parallel: the driver compiles PTX for seconds. It can do so from
/// several threads, and a device has no state of its own that loading changes.
static std::vector<Loaded> loadAll(ArrayRef<std::string> paths,
                                   const std::shared_ptr<Device> &device) {
  std::vector<Loaded> all(paths.size());
  DefaultThreadPool pool;
  for (auto [path, loaded] : zip(paths, all))
    pool.async([&path = path, &loaded = loaded, &device] {
      if (Error error =
              load(Package::open(path), device).moveInto(loaded.program))
        loaded.error = toString(std::move(error));
    });
  pool.wait();
  return all;
}

static Expected<std::unique_ptr<HostRun>>
runOnce(std::shared_ptr<Program> program, const OwnedTensors &inputs) {
  Expected<std::unique_ptr<HostRun>> run =
      HostRun::create(std::move(program), inputs.tensors);
  if (run)
    if (Error error = (*run)->run())
      return std::move(error);
  return run;
}

/// An error names the first result that differs from the reference's.
static Error compare(ArrayRef<HostTensor> results, const OwnedTensors &golden) {
  Expected<std::vector<Comparison>> comparisons =
      compareResults(results, golden.tensors, /*tolerance=*/std::nullopt);
  if (!comparisons)
    return comparisons.takeError();
  for (const Comparison &comparison : *comparisons)
    if (!comparison.holds()) {
      std::string text;
      raw_string_ostream(text) << format(
          "error %.3g, tolerance %.3g", comparison.error, comparison.tolerance);
      return createStringError(comparison.result +
                               " differs from the reference: " + text);
    }
  return Error::success();
}

Expected<json::Object> Server::run(const std::shared_ptr<Program> &program) {
  Expected<std::unique_ptr<HostRun>> run =
      runOnce(program, reference->drawn.inputs);
  if (!run)
    return run.takeError();
  if (Error error = compare((*run)->getResults(), reference->drawn.results))
    return std::move(error);
  Expected<std::vector<double>> microseconds =
      (*run)->time({static_cast<unsigned>(request.repeat)});
  if (!microseconds)
    return microseconds.takeError();
  json::Object answer{{"microseconds", json::Array(*microseconds)}};
  if (std::optional<unsigned> clock = device->getClockMHz())
    answer["clock_mhz"] = *clock;
  return answer;
}

Error Server::measure(size_t index, Loaded loaded) {
  int64_t number = index;
  if (!loaded.program)
    return print(json::Object{{"index", number},
                              {"error", json::fixUTF8(loaded.error)}});
  if (Error error = print(json::Object{{"begin", number}}))
    return error;
  json::Object answer;
  Error fault = Error::success();
  if (Error error = run(loaded.program).moveInto(answer)) {
    answer = describe(std::move(error));
    fault = checkDevice(*loaded.program);
  }
  answer["index"] = number;
  return joinErrors(print(std::move(answer)), std::move(fault));
}

/// Runs `program` on inputs of `range`.
static Expected<Draw> draw(const std::shared_ptr<Program> &program,
                           uint64_t seed, FloatRange range) {
  Draw made;
  if (Error error = makeRandomInputs(program->getFunction(), seed, range)
                        .moveInto(made.inputs))
    return std::move(error);
  Expected<std::unique_ptr<HostRun>> run = runOnce(program, made.inputs);
  if (!run)
    return run.takeError();
  for (const HostTensor &result : (*run)->getResults())
    made.results.add(result.name, result.dtype, result.shape,
                     {result.bytes.begin(), result.bytes.end()});
  DefaultThreadPool pool;
  for (auto [number, result] : enumerate(made.results.tensors)) {
    int64_t count = result.countElements();
    double finite = findFiniteElements(result, pool).count;
    double share = count ? finite / count : 1;
    if (share < made.finite) {
      made.finite = share;
      made.least = number;
    }
  }
  return made;
}

/// Inputs for `program` on which other programs can be compared with it: most
/// results are finite. A NaN agrees with the NaN of a wrong program.
static Expected<Draw> drawFinite(const std::shared_ptr<Program> &program,
                                 uint64_t seed) {
  constexpr double enough = 0.5;
  Expected<Draw> drawn = draw(program, seed, FloatRange::Signed);
  if (!drawn || drawn->finite == 1)
    return drawn;
  Expected<Draw> other = draw(program, seed, FloatRange::Positive);
  if (!other)
    return other;
  if (other->finite > drawn->finite)
    drawn = std::move(other);
  if (drawn->finite >= enough)
    return drawn;
  DefaultThreadPool pool;
  const HostTensor &least = drawn->results.tensors[drawn->least];
  return createStringError(
      "expects finite results of the untuned kernel to compare with, but got " +
      Twine(findFiniteElements(least, pool).count) + " finite elements of " +
      Twine(least.countElements()) + " in " + least.name);
}

/// The answer to a request whose reference, once it is loaded `program`, does
/// not run.
Error Server::refuse(Error reason, const Program *program) {
  Error fault = program ? checkDevice(*program) : Error::success();
  return joinErrors(print(describe(std::move(reason))), std::move(fault));
}

/// Runs the reference of the request, unless it is that of the last one.
/// `program` is the reference once it is loaded.
Error Server::runReference(std::shared_ptr<Program> &program) {
  Expected<Package> package = Package::open(request.reference);
  if (!package)
    return package.takeError();
  if (reference && reference->manifest == package->getManifestText() &&
      reference->seed == request.seed)
    return Error::success();
  reference.reset();
  Reference made{package->getManifestText(), request.seed, {}};
  if (Error error = load(std::move(package), device).moveInto(program))
    return error;
  if (Error error = drawFinite(program, request.seed).moveInto(made.drawn))
    return error;
  reference = std::move(made);
  return Error::success();
}

Error Server::answer(StringRef line) {
  if (Error error = parseRequest(line).moveInto(request))
    return refuse(std::move(error), nullptr);
  std::shared_ptr<Program> program;
  if (Error error = runReference(program))
    return refuse(std::move(error), program.get());
  // Nothing of it is left on the device while packages are measured.
  program.reset();
  std::vector<Loaded> packages = loadAll(request.packages, device);
  for (auto [index, loaded] : enumerate(packages))
    if (Error error = measure(index, std::move(loaded)))
      return error;
  return print(json::Object{{"done", true}});
}

/// Ends the process once no one reads its answers, also while a kernel hangs.
static void endWithOutput() {
  std::thread([] {
    pollfd output = {STDOUT_FILENO, /*events=*/0, /*revents=*/0};
    while (poll(&output, 1, /*timeout=*/-1) < 0 && errno == EINTR)
      ;
    _exit(1);
  }).detach();
}

Error stof::runtime::serve(std::shared_ptr<Device> device) {
  Expected<std::string> driver = device->getDriverVersion();
  if (!driver)
    return driver.takeError();
  endWithOutput();
  if (Error error =
          print(json::Object{{"device", device->getModel()},
                             {"driver", *driver},
                             {"capability", device->getCapability()}}))
    return error;
  Server server(std::move(device));
  char *line = nullptr;
  size_t capacity = 0;
  Error error = Error::success();
  while (!error) {
    ssize_t length = getline(&line, &capacity, stdin);
    if (length < 0)
      break;
    error = server.answer(StringRef(line, length).rtrim("\n"));
  }
  std::free(line);
  return error;
}

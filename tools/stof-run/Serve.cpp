//===----------------------------------------------------------------------===//
// Reading of requests, and what is done for one.
//===----------------------------------------------------------------------===//

#include "Serve.h"

#include "../lib/OutputFile.h"
#include "Reference.h"
#include "stof/Support/ParseJson.h"

#include "llvm/ADT/STLExtras.h"
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
  std::optional<double> milliseconds, best;
};

/// A package ready to run, or why it is not.
struct Loaded {
  std::shared_ptr<Program> program;
  std::string error;
};

/// A reference, for further requests that have it.
struct KeptReference {
  /// Of the package: the manifest has the hashes of all its files.
  std::string manifest;
  int64_t seed;
  std::unique_ptr<Reference> reference;
  /// Whether it stays once there is another one.
  bool stays;
};

class Server {
public:
  explicit Server(std::shared_ptr<Device> opened)
      : device(std::move(opened)), reader(*device) {}

  /// Fails if no further request can be answered.
  Error answer(StringRef line);

private:
  Error refuse(Error reason, const Program *program);
  Expected<Reference *> findReference(std::shared_ptr<Program> &program);
  Error measure(size_t index, Loaded loaded, Reference &reference);
  Expected<json::Object> run(const std::shared_ptr<Program> &program,
                             Reference &reference);
  template <typename Made>
  Expected<Made> makeRoom(const Reference *needed,
                          function_ref<Expected<Made>()> make);

  std::shared_ptr<Device> device;
  ResultReader reader;
  DefaultThreadPool pool;
  Request request;
  std::vector<KeptReference> references;
};

} // namespace

static bool fromJSON(const json::Value &value, Request &request,
                     json::Path path) {
  json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("reference", request.reference) &&
         mapper.map("packages", request.packages) &&
         mapper.map("repeat", request.repeat) &&
         mapper.map("seed", request.seed) &&
         mapper.mapOptional("milliseconds", request.milliseconds) &&
         mapper.mapOptional("best", request.best);
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
  if (request.milliseconds.value_or(1) <= 0 || request.best.value_or(1) <= 0)
    return createStringError(
        "expects 'milliseconds' and 'best' to be positive");
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

/// What `make` makes: if memory lacks, without the references but `needed`.
template <typename Made>
Expected<Made> Server::makeRoom(const Reference *needed,
                                function_ref<Expected<Made>()> make) {
  Expected<Made> made = make();
  if (made)
    return made;
  Error error = made.takeError();
  if (!error.isA<OutOfMemory>())
    return std::move(error);
  consumeError(std::move(error));
  erase_if(references, [&](const KeptReference &kept) {
    return kept.reference.get() != needed;
  });
  return make();
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

Expected<json::Object> Server::run(const std::shared_ptr<Program> &program,
                                   Reference &reference) {
  // A package that is slower than the best one by this factor is none to
  // choose.
  constexpr double slow = 1.3;
  Expected<std::unique_ptr<HostRun>> run = makeRoom<std::unique_ptr<HostRun>>(
      &reference, [&] { return reference.check(program); });
  if (!run)
    return run.takeError();
  TimingLimits limits;
  limits.repeat = request.repeat;
  if (request.milliseconds)
    limits.total = *request.milliseconds * 1e3;
  if (request.best)
    limits.slow = *request.best * slow;
  Expected<std::vector<double>> microseconds = (*run)->time(limits);
  if (!microseconds)
    return microseconds.takeError();
  json::Object answer{{"microseconds", json::Array(*microseconds)}};
  double fastest = *llvm::min_element(*microseconds);
  request.best = std::min(request.best.value_or(fastest), fastest);
  if (std::optional<unsigned> clock = device->getClockMHz())
    answer["clock_mhz"] = *clock;
  return answer;
}

Error Server::measure(size_t index, Loaded loaded, Reference &reference) {
  int64_t number = index;
  if (!loaded.program)
    return print(json::Object{{"index", number},
                              {"error", json::fixUTF8(loaded.error)}});
  if (Error error = print(json::Object{{"begin", number}}))
    return error;
  json::Object answer;
  Error fault = Error::success();
  if (Error error = run(loaded.program, reference).moveInto(answer)) {
    answer = describe(std::move(error));
    fault = checkDevice(*loaded.program);
  }
  answer["index"] = number;
  return joinErrors(print(std::move(answer)), std::move(fault));
}

/// The answer to a request whose reference, once it is loaded `program`, does
/// not run.
Error Server::refuse(Error reason, const Program *program) {
  Error fault = program ? checkDevice(*program) : Error::success();
  return joinErrors(print(describe(std::move(reason))), std::move(fault));
}

/// Whether there is room for `reference` in addition to what else is measured.
static bool hasRoom(const Reference &reference, const Device &device) {
  constexpr int64_t part = 4;
  std::optional<int64_t> host = getFreeHostBytes(),
                         free = device.getFreeBytes();
  return host && free && reference.countHostBytes() <= *host / part &&
         reference.countDeviceBytes() <= *free / part;
}

/// The reference of the request, which is run unless it is kept. `program` is
/// the reference once it is loaded.
Expected<Reference *> Server::findReference(std::shared_ptr<Program> &program) {
  Expected<Package> package = Package::open(request.reference);
  if (!package)
    return package.takeError();
  for (const KeptReference &kept : references)
    if (kept.manifest == package->getManifestText() &&
        kept.seed == request.seed)
      return kept.reference.get();
  erase_if(references, [](const KeptReference &kept) { return !kept.stays; });
  KeptReference made{package->getManifestText(), request.seed, nullptr, false};
  if (Error error = load(std::move(package), device).moveInto(program))
    return std::move(error);
  Expected<std::unique_ptr<Reference>> created =
      makeRoom<std::unique_ptr<Reference>>(/*needed=*/nullptr, [&] {
        return Reference::create(program, request.seed, reader, pool);
      });
  if (!created)
    return created.takeError();
  made.reference = std::move(*created);
  made.stays = hasRoom(*made.reference, *device);
  references.push_back(std::move(made));
  return references.back().reference.get();
}

Error Server::answer(StringRef line) {
  if (Error error = parseRequest(line).moveInto(request))
    return refuse(std::move(error), nullptr);
  std::shared_ptr<Program> program;
  Expected<Reference *> reference = findReference(program);
  if (!reference)
    return refuse(reference.takeError(), program.get());
  // Nothing of it is left on the device while packages are measured.
  program.reset();
  std::vector<Loaded> packages = loadAll(request.packages, device);
  for (auto [index, loaded] : enumerate(packages))
    if (Error error = measure(index, std::move(loaded), **reference))
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
  // Which takes a while, and not every search has something to measure.
  if (Error error = device->activate())
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

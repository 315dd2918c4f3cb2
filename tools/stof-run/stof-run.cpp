//===----------------------------------------------------------------------===//
// stof-run: runs a function of a package on tensors from a file. It does not
// link MLIR or CUDA and can be copied to other machines.
//===----------------------------------------------------------------------===//

#include "../lib/OutputFile.h"
#include "../lib/Version.h"
#include "Compare.h"
#include "Report.h"
#include "Serve.h"
#include "stof/Runtime/HostRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

namespace {

struct Options {
  cl::OptionCategory category{"stof-run options"};
  cl::opt<std::string> package{cl::Positional, cl::desc("<package folder>"),
                               cl::cat(category)};
  cl::opt<std::string> inputs{
      "inputs", cl::value_desc("file.safetensors"),
      cl::desc("Tensors arg0, arg1, ...; required if the function has inputs"),
      cl::cat(category)};
  cl::opt<std::string> outputs{
      "outputs", cl::value_desc("file.safetensors"),
      cl::desc("The file for result0, result1, ...; optional with --compare or "
               "--repeat"),
      cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::value_desc("name"),
      cl::desc("The function to run; optional if there is only one"),
      cl::cat(category)};
  cl::opt<std::string> device{
      "device", cl::value_desc("cuda:N|cpu"),
      cl::desc("The device (default: cuda:0 if there is one and the function "
               "has a target for it, else cpu)"),
      cl::cat(category)};
  cl::opt<unsigned> threads{
      "threads", cl::value_desc("N"),
      cl::desc("Threads on the cpu (default: one per hardware thread)"),
      cl::cat(category)};
  cl::opt<unsigned> repeat{
      "repeat", cl::value_desc("N"),
      cl::desc("Time N more runs, on a GPU as replays of a CUDA graph, and "
               "print the minimum, the median and the maximum"),
      cl::cat(category)};
  cl::opt<std::string> compare{
      "compare", cl::value_desc("file.safetensors"),
      cl::desc(
          "Compare the results with tensors result0, result1, ... and fail "
          "if max |result - golden| / max |golden| exceeds the tolerance"),
      cl::cat(category)};
  cl::opt<double> tolerance{
      "tolerance", cl::value_desc("X"),
      cl::desc("For --compare (default, by dtype of the result: f64 1e-12, f32 "
               "1e-5, f16 2e-3, bf16 1.6e-2, integers 0)"),
      cl::cat(category)};
  cl::opt<bool> json{"json",
                     cl::desc("Print one JSON object on standard output"),
                     cl::cat(category)};
  cl::opt<bool> serve{
      "serve",
      cl::desc("Run no package, but measure those that requests on standard "
               "input name, until it ends: JSON objects, one a line, such as "
               "{\"reference\": \"ref\", \"packages\": [\"a\", \"b\"], "
               "\"repeat\": 30, \"seed\": 0}. Answers are JSON lines on "
               "standard output. Inputs are random; a package whose results "
               "differ from those of the reference is an error. Further keys "
               "limit how often slow packages run: \"milliseconds\": 10, "
               "\"best\": 8.25"),
      cl::cat(category)};
};

} // namespace

/// Opens the GPU if `function` has a target for it. On failure, `reason` is the
/// error; it remains empty for a function without a GPU target.
static std::shared_ptr<Device> findGpu(const Function &function,
                                       unsigned threads, std::string &reason) {
  if (all_of(function.targets, [](const Target &t) { return t.isCpu(); }))
    return nullptr;
  Expected<std::unique_ptr<Device>> device = openDevice("cuda:0", threads);
  if (!device) {
    reason = toString(device.takeError());
    return nullptr;
  }
  Expected<const Target *> target = chooseTarget(function, **device);
  if (target)
    return std::move(*device);
  reason = toString(target.takeError());
  return nullptr;
}

/// Opens the device of the options, or the default one.
static Expected<std::shared_ptr<Device>> chooseDevice(const Options &options,
                                                      const Function &function,
                                                      std::string &reason) {
  StringRef name = options.device;
  if (name.empty()) {
    if (auto device = findGpu(function, options.threads, reason))
      return device;
    name = "cpu";
  }
  return openDevice(name, options.threads);
}

/// Fails if the results would replace a file of the package; other files in its
/// folder are allowed.
static Error checkOutputs(const Options &options, const Package &package) {
  StringRef folder = sys::path::parent_path(options.outputs);
  StringRef name = sys::path::filename(options.outputs);
  bool isOfPackage =
      name == "manifest.json" || package.getManifest().findFile(name);
  if (!isOfPackage || !sys::fs::equivalent(folder.empty() ? "." : folder,
                                           StringRef(options.package)))
    return Error::success();
  return createStringError(
      "expects --outputs to replace no file of the package, but got '" +
      options.outputs + "'");
}

static Expected<std::shared_ptr<Program>> loadProgram(const Options &options) {
  Expected<Package> opened = Package::open(options.package);
  if (!opened)
    return opened.takeError();
  if (Error error = checkOutputs(options, *opened))
    return std::move(error);
  auto package = std::make_shared<const Package>(std::move(*opened));
  Expected<const Function *> function = package->findFunction(options.function);
  if (!function)
    return function.takeError();
  std::string reason;
  Expected<std::shared_ptr<Device>> device =
      chooseDevice(options, **function, reason);
  if (!device)
    return device.takeError();
  if (!reason.empty())
    errs() << "stof-run: note: no GPU is used: " << reason << "\n";
  Expected<std::shared_ptr<Program>> program =
      Program::load(package, (*function)->name, *device);
  if (program)
    errs() << "stof-run: '" << (*function)->name << "' runs on "
           << (*device)->getName() << " (" << (*device)->describe()
           << "), target " << (*program)->getTarget().name << "\n";
  return program;
}

/// Opens the device of the options: by default a GPU if there is one.
static Expected<std::shared_ptr<Device>>
chooseServingDevice(const Options &options) {
  if (!options.device.empty())
    return findDevice(options.device, options.threads);
  Expected<std::unique_ptr<Device>> device =
      findDevice("cuda:0", options.threads);
  if (device)
    return device;
  errs() << "stof-run: note: no GPU is used: " << toString(device.takeError())
         << "\n";
  return findDevice("cpu", options.threads);
}

static Error serveRequests(const Options &options) {
  const cl::Option *others[] = {
      &options.package, &options.inputs,  &options.outputs,   &options.function,
      &options.repeat,  &options.compare, &options.tolerance, &options.json};
  for (const cl::Option *other : others)
    if (other->getNumOccurrences())
      return createStringError(
          "expects --serve with --device and --threads alone, but got " +
          (other->isPositional() ? "'" + Twine(options.package) + "'"
                                 : "--" + Twine(other->ArgStr)));
  Expected<std::shared_ptr<Device>> device = chooseServingDevice(options);
  if (!device)
    return device.takeError();
  return serve(*device);
}

static Error compare(const Options &options, ArrayRef<HostTensor> results,
                     std::vector<Comparison> &comparisons) {
  Expected<SafetensorsFile> golden = SafetensorsFile::open(options.compare);
  if (!golden)
    return golden.takeError();
  std::optional<double> tolerance;
  if (options.tolerance.getNumOccurrences())
    tolerance = options.tolerance;
  return compareResults(results, golden->getTensors(), tolerance)
      .moveInto(comparisons);
}

/// Runs according to the options; returns whether all comparisons hold.
static Expected<bool> run(const Options &options) {
  if (options.serve) {
    if (Error error = serveRequests(options))
      return std::move(error);
    return true;
  }
  if (options.package.empty())
    return createStringError("expects a package folder, but got none");
  if (options.outputs.empty() && options.compare.empty() && !options.repeat)
    return createStringError(
        "expects --outputs, --compare or --repeat, but got none of them");
  SafetensorsFile inputs;
  if (!options.inputs.empty())
    if (Error error = SafetensorsFile::open(options.inputs).moveInto(inputs))
      return std::move(error);
  Expected<std::shared_ptr<Program>> program = loadProgram(options);
  if (!program)
    return program.takeError();
  Expected<std::unique_ptr<HostRun>> call =
      HostRun::create(*program, inputs.getTensors());
  if (!call)
    return call.takeError();
  if (Error error = (*call)->run())
    return std::move(error);
  if (!options.outputs.empty()) {
    Expected<OutputFile> file = OutputFile::open(options.outputs);
    if (!file)
      return file.takeError();
    writeSafetensors(file->os(), (*call)->getResults());
    if (Error error = file->keep())
      return std::move(error);
  }

  Report report{**program, (*call)->getCall(), {}, {}};
  if (options.repeat)
    if (Error error =
            (*call)->time({options.repeat}).moveInto(report.microseconds))
      return std::move(error);
  if (!options.compare.empty())
    if (Error error =
            compare(options, (*call)->getResults(), report.comparisons))
      return std::move(error);
  if (options.json)
    printJson(report, outs());
  else
    printText(report, outs());
  if (Error error = flushStandardOutput())
    return std::move(error);
  return all_of(report.comparisons,
                [](const Comparison &c) { return c.holds(); });
}

int main(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  setVersionPrinter("stof-run");
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs a function of a stof package on tensors "
                              "from a safetensors file.\n");
  Expected<bool> passed = run(options);
  if (!passed) {
    errs() << "stof-run: error: " << toString(passed.takeError()) << "\n";
    return 1;
  }
  return *passed ? 0 : 1;
}

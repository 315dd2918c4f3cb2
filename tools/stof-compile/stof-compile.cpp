//===----------------------------------------------------------------------===//
// stof-compile: compiles a model to a package.
//===----------------------------------------------------------------------===//

#include "../lib/Version.h"
#include "RemoveOnSignal.h"
#include "TextOutput.h"
#include "Tuning.h"
#include "stof/InitAll.h"
#include "stof/Pipelines/Compile.h"
#include "stof/Pipelines/ParseModel.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

namespace cl = llvm::cl;

static cl::OptionCategory category("stof-compile options");

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("MODEL.mlir|.mlirbc"),
                                  cl::cat(category));
static cl::opt<std::string> output("o", cl::Required, cl::value_desc("PKG"),
                                   cl::desc("The folder to write"),
                                   cl::cat(category));
static cl::list<std::string>
    targets("target", cl::CommaSeparated, cl::value_desc("target,..."),
            cl::desc("The targets: GPUs in ptxas spelling (sm_80, sm_90a, "
                     "...), cpu, or cpu-reference for the reference path of "
                     "tests (default: sm_90a,sm_80,cpu)"),
            cl::cat(category));
static cl::opt<std::string>
    function("function", cl::value_desc("name"),
             cl::desc("The function to compile (default: all public ones)"),
             cl::cat(category));
static cl::opt<std::string>
    cpu("cpu", cl::value_desc("name"),
        cl::desc("The LLVM name of the CPU of the cpu target (default: the "
                 "host CPU)"),
        cl::cat(category));
static cl::opt<llvm::CodeGenOptLevel> optimizationLevel(
    cl::desc("How much LLVM optimizes the code of the cpu target:"),
    cl::values(clEnumValN(llvm::CodeGenOptLevel::None, "O0",
                          "Not at all, to compile fast"),
               clEnumValN(llvm::CodeGenOptLevel::Less, "O1", "Little"),
               clEnumValN(llvm::CodeGenOptLevel::Default, "O2", "Much"),
               clEnumValN(llvm::CodeGenOptLevel::Aggressive, "O3",
                          "As much as it can (default)")),
    cl::init(llvm::CodeGenOptLevel::Aggressive), cl::cat(category));
static cl::opt<bool>
    checkBounds("check-bounds",
                cl::desc("Check the bounds of memory accesses in kernels: an "
                         "access out of bounds ends the process with a "
                         "message, or is a trap on a GPU"),
                cl::cat(category));
static cl::opt<bool> noAssertions(
    "no-assertions",
    cl::desc("Omit the checks of indices that depend on data: the result of a "
             "token out of bounds of its table is then undefined (default: the "
             "run fails)"),
    cl::cat(category));
static cl::opt<bool>
    keepDoubles("keep-doubles",
                cl::desc("Compute intermediate f64 values, such as means and "
                         "variances, in f64 (default: in f32)"),
                cl::cat(category));
static cl::opt<bool>
    keepPlans("keep-plans",
              cl::desc("Trust the layouts and schedules of attentions in the "
                       "model, for tests of kernels: one that contradicts its "
                       "mask gives wrong results (default: an error)"),
              cl::cat(category));
static cl::opt<std::string>
    reportFile("report", cl::value_desc("file.json"),
               cl::desc("The file for a report of kernels and missed "
                        "optimizations"),
               cl::cat(category));
static cl::opt<std::string> remarksFile(
    "remarks", cl::value_desc("file"),
    cl::desc("The file for the remarks of all passes, one per line"),
    cl::cat(category));
static cl::opt<unsigned>
    jobs("jobs", cl::value_desc("N"), cl::init(0),
         cl::desc("The maximum number of threads for passes (default: one per "
                  "hardware thread)"),
         cl::cat(category));
static cl::opt<bool>
    allowUnregistered("allow-unregistered-dialect",
                      cl::desc("Accept operations of unknown dialects"),
                      cl::cat(category));

static cl::list<std::string> dialectPlugins(
    "load-dialect-plugin", cl::value_desc("file.so"),
    cl::desc("A plugin with dialects, as for mlir-opt: masks of its own, "
             "operations of another front end"),
    cl::cat(category));

static stof::TuningOptions tuningOptions(category);

static int fail(const llvm::Twine &message) {
  llvm::errs() << "stof-compile: " << message << "\n";
  return 1;
}

static int fail(llvm::Error error) {
  return fail("error: " + llvm::toString(std::move(error)));
}

static stof::CompileOptions getOptions(mlir::TimingScope &timing,
                                       stof::Tuning &tuning) {
  stof::CompileOptions options;
  options.search = tuning.getSession();
  options.output = output;
  options.function = function;
  options.cpu = cpu;
  options.optimizationLevel = optimizationLevel;
  options.checkBounds = checkBounds;
  options.assertions = !noAssertions;
  options.keepDoubles = keepDoubles;
  options.keepPlans = keepPlans;
  options.timing = &timing;
  options.onTemporary = stof::removeOnSignal;
  if (!targets.empty())
    options.targets.assign(targets.begin(), targets.end());
  return options;
}

/// Fails if two outputs are one file.
static llvm::Error checkOutputs() {
  llvm::StringSet<> seen;
  for (const std::string &path :
       {reportFile.getValue(), remarksFile.getValue(),
        tuningOptions.json.getValue(), tuningOptions.page.getValue(),
        tuningOptions.script.getValue()})
    if (!path.empty() && path != "-" && !seen.insert(path).second)
      return llvm::createStringError(
          "expects each output in a file of its own, but got '%s' for two",
          path.c_str());
  return llvm::Error::success();
}

/// Reads the model, compiles it and writes the outputs.
static int compile(mlir::MLIRContext &context, mlir::TimingScope &timing) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      mlir::openInputFile(input, &message);
  if (!file)
    return fail(message);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(*sources, &context);
  // Errors without a location in the source are printed as those of the
  // program.
  mlir::ScopedDiagnosticHandler plain(
      &context, [](mlir::Diagnostic &diagnostic) {
        if (!mlir::isa<mlir::UnknownLoc>(diagnostic.getLocation()) ||
            diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::failure();
        fail("error: " + diagnostic.str());
        return mlir::success();
      });
  mlir::TimingScope parsing = timing.nest("parser");
  mlir::OwningOpRef<mlir::ModuleOp> module =
      stof::parseModel(sources, &context);
  parsing.stop();
  if (!module)
    return 1;

  if (llvm::Error error = checkOutputs())
    return fail(std::move(error));
  stof::TextOutput remarks("the remarks", remarksFile);
  stof::TextOutput described("the report", reportFile, "report.json");
  for (stof::TextOutput *wanted : {&remarks, &described})
    if (llvm::Error error = wanted->open(input, output))
      return fail(std::move(error));
  llvm::Expected<std::unique_ptr<stof::Tuning>> tuning =
      stof::Tuning::create(tuningOptions, input, output, targets.size(), jobs);
  if (!tuning)
    return fail(tuning.takeError());
  stof::Report report;
  if (mlir::failed(stof::collectRemarks(context, report)) ||
      mlir::failed(
          stof::compilePackage(*module, getOptions(timing, **tuning), report)))
    return 1;
  if (llvm::Error error = (*tuning)->finish())
    return fail(std::move(error));
  if (llvm::Error error = remarks.write(
          [&](llvm::raw_ostream &os) { report.printRemarks(*module, os); }))
    return fail(std::move(error));
  if (llvm::Error error = described.write([&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}\n", report.toJSON(*module));
      }))
    return fail(std::move(error));
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerDefaultTimingManagerCLOptions();
  for (llvm::StringRef name : {"mlir-timing", "mlir-timing-display"})
    cl::getRegisteredOptions().at(name)->addCategory(category);
  cl::HideUnrelatedOptions(category);
  stof::setVersionPrinter("stof-compile");
  cl::ParseCommandLineOptions(argc, argv, "stof compiler\n");

  mlir::DialectRegistry registry;
  stof::registerModelDialects(registry);
  for (const std::string &file : dialectPlugins) {
    llvm::Expected<mlir::DialectPlugin> plugin =
        mlir::DialectPlugin::load(file);
    if (!plugin)
      return fail(plugin.takeError());
    plugin->registerDialectRegistryCallbacks(registry);
  }
  stof::ModelContext context(registry, jobs);
  context.get()->allowUnregisteredDialects(allowUnregistered);

  mlir::DefaultTimingManager manager;
  mlir::applyDefaultTimingManagerCLOptions(manager);
  mlir::TimingScope timing = manager.getRootScope();
  return compile(*context.get(), timing);
}

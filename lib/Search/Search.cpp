//===----------------------------------------------------------------------===//
// The pass that searches, with its options and outputs.
//===----------------------------------------------------------------------===//

#include "stof/Search/Search.h"

#include "ModuleSearch.h"
#include "stof/IR/Stof.h"
#include "stof/Search/InterruptScope.h"
#include "stof/Search/ProgressLine.h"
#include "stof/Support/ResolveTarget.h"
#include "stof/Tile/Tile.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

namespace stof {
#define GEN_PASS_DECL_SEARCHPASS
#define GEN_PASS_DEF_SEARCHPASS
#include "stof/Search/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

struct SearchPass : stof::impl::SearchPassBase<SearchPass> {
  explicit SearchPass(CompileKernel compile) : compile(std::move(compile)) {}
  SearchPass(SearchSession &session, StringRef chip) : given(&session) {
    this->chip = chip.str();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerKernelModels(registry);
  }

  void runOnOperation() override {
    FailureOr<const TargetInfo *> target = resolveTarget(getOperation(), chip);
    if (failed(target))
      return signalPassFailure();
    SearchSession own(readOptions());
    SearchSession &session = given ? *given : own;
    std::optional<InterruptScope> interrupts;
    if (!given)
      interrupts.emplace();
    auto formGroups = [&](func::FuncOp function) {
      OpPassManager pm(func::FuncOp::getOperationName());
      FormGroupsPassOptions options;
      options.chip = chip;
      pm.addPass(createFormGroupsPass(options));
      return runPipeline(pm, function);
    };
    ModuleSearch search(getOperation(), session, *target, formGroups);
    if (failed(searchAndWrite(session, search)))
      signalPassFailure();
  }

private:
  using Base = stof::impl::SearchPassBase<SearchPass>;

  SearchOptions readOptions() const {
    SearchOptions options;
    options.measures = measures;
    options.measuring.runner = runner;
    options.measuring.device = device;
    options.measuring.repeat = repeat;
    options.measuring.seed = seed;
    options.database = database;
    options.schedules = schedules;
    options.shipped = shipped;
    options.budget = budget;
    options.seconds = seconds;
    options.schemes = schemes;
    options.jobs = jobs;
    options.compile = compile;
    options.isInterrupted = InterruptScope::isInterrupted;
    options.onProgress = printProgressLine;
    return options;
  }

  /// The file for an output of a search of its own; null if there is none.
  FailureOr<std::unique_ptr<llvm::ToolOutputFile>> openFile(StringRef path) {
    if (given || path.empty())
      return std::unique_ptr<llvm::ToolOutputFile>();
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
    if (!file)
      return getOperation().emitError() << message;
    return file;
  }

  /// Opens the outputs, searches, and writes them.
  LogicalResult searchAndWrite(SearchSession &session, ModuleSearch &search) {
    auto jsonFile = openFile(json), pageFile = openFile(page),
         scriptFile = openFile(script);
    if (failed(jsonFile) || failed(pageFile) || failed(scriptFile) ||
        failed(search.run()))
      return failure();
    const SearchReport &report = session.reports.back();
    if (*jsonFile)
      (*jsonFile)->os() << llvm::formatv("{0:2}\n",
                                         llvm::json::Value(report.toJSON()));
    if (*pageFile)
      report.printPage((*pageFile)->os());
    if (*scriptFile)
      (*scriptFile)->os() << session.scripts.back();
    for (auto *file : {&*jsonFile, &*pageFile, &*scriptFile})
      if (*file)
        (*file)->keep();
    return success();
  }

  CompileKernel compile;
  SearchSession *given = nullptr;
};

} // namespace

std::unique_ptr<Pass> stof::createSearchPass(SearchSession &session,
                                             StringRef chip) {
  return std::make_unique<SearchPass>(session, chip);
}

void stof::registerSearchPass(CompileKernel compile) {
  registerPass([compile] { return std::make_unique<SearchPass>(compile); });
}

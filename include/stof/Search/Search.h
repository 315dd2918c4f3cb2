//===----------------------------------------------------------------------===//
// The search for fusion schemes and schedules: what is tried, measured and
// chosen for all functions of a module.
//
// Source: STOF (PPoPP'26), section 4.4.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_SEARCH_H
#define STOF_SEARCH_SEARCH_H

#include "stof/Search/Measurer.h"
#include "stof/Search/SearchReport.h"
#include "stof/Search/TuningDatabase.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <functional>

namespace stof {

/// Compiles a module with one function, whose groups and schedules are chosen,
/// for `target` (ptxas spelling, or `cpu`) to a package in `folder`. Called
/// from several threads, with modules of contexts of their own; errors are
/// diagnostics.
using CompileKernel = std::function<mlir::LogicalResult(
    mlir::ModuleOp module, llvm::StringRef target, llvm::StringRef folder)>;

/// Opens the device of the options; fails if nothing can be measured on it.
using OpenMeasurer = std::function<llvm::Expected<std::unique_ptr<Measurer>>(
    const MeasureOptions &)>;

/// How far a search is.
struct SearchProgress {
  /// Measurements that are made and allowed.
  unsigned measured = 0, budget = 0;
  /// Predicted or measured microseconds of all kernels, each as often as it is
  /// in the module: before the search and with the best that is known.
  double untunedMicroseconds = 0, bestMicroseconds = 0;
  /// Seconds until the budget is used at the present rate.
  double secondsLeft = 0;
};

struct SearchOptions {
  /// Whether candidates are measured on `measuring.device`. Otherwise the cost
  /// model chooses.
  bool measures = true;
  MeasureOptions measuring;
  OpenMeasurer openMeasurer = startMeasurer;
  /// The file of the tuning database; none if empty.
  std::string database;
  /// A file of schedules of a user that ship, as `stof-tune export --best`
  /// prints them, which precede those of the compiler; none if empty.
  std::string schedules;
  /// Whether the schedules that ship with the compiler are known.
  bool shipped = true;
  /// The measurements for each kernel, on average.
  unsigned budget = 16;
  /// Seconds after which a search ends as if it was interrupted; 0 for none.
  unsigned seconds = 0;
  /// The fusion schemes to compare for each function.
  unsigned schemes = 2000;
  /// Threads that compile candidates; 0 for one per hardware thread.
  unsigned jobs = 0;
  CompileKernel compile;
  /// Asked between measurements; an interrupted search keeps what it found.
  std::function<bool()> isInterrupted = [] { return false; };
  std::function<void(const SearchProgress &)> onProgress =
      [](const SearchProgress &) {};
};

/// A search and what it found. One search serves the passes of all targets.
class SearchSession {
public:
  explicit SearchSession(SearchOptions options) : options(std::move(options)) {}

  const SearchOptions &getOptions() const { return options; }

  /// One report for each target that was searched for.
  std::vector<SearchReport> reports;
  /// For each report, a transform script that makes the same choices.
  std::vector<std::string> scripts;

private:
  SearchOptions options;
};

/// The pass that forms groups and chooses schedules by `session`, which must
/// outlive it, for the target `chip` (empty for CPUs).
std::unique_ptr<mlir::Pass> createSearchPass(SearchSession &session,
                                             llvm::StringRef chip);

/// Registers `stof-search` for parsers of pass pipelines: each run is a search
/// of its own, with the options of the pass. Candidates are compiled by
/// `compile`.
void registerSearchPass(CompileKernel compile);

} // namespace stof

#endif // STOF_SEARCH_SEARCH_H

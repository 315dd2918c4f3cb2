//===----------------------------------------------------------------------===//
// The second stage of a search: a budget of measurements for the schedules of
// all kernels, more of them for kernels that gain.
//
// Measurements are made in rounds. In the first, each kernel has an equal
// share, of the schedules that are predicted to be the fastest. Each of those
// that follow shares half of what is left of the budget, in proportion to the
// microseconds that all launches of a kernel gained in the last round and take
// now. Predictions are corrected by what was measured (EstimateTimes.h). In
// these rounds the last schedule of a larger share is drawn at random, in order
// to correct the model where it is wrong.
//
// Source: STOF (PPoPP'26), section 4.4.3.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_SCHEDULESEARCH_H
#define STOF_SEARCH_SCHEDULESEARCH_H

#include "stof/Search/Search.h"

namespace stof {

/// A kernel whose schedule is searched for.
struct SearchKernel {
  /// The module with the kernel operation, as text; empty if it cannot be
  /// measured, for the `reason` in the report.
  std::string text;
  /// How often it is launched.
  unsigned launches = 0;
  /// What is known of it; `schedules` are by predicted time.
  SearchedKernel report;
};

/// The index of the fastest measured schedule, if one was measured.
std::optional<size_t> findFastest(const SearchedKernel &kernel);

/// The search for the schedules of kernels, with what is measured on, what is
/// known, and what may be spent.
class ScheduleSearch {
public:
  /// Measures with `measurer`, or chooses by predicted time if it is null.
  /// `database` may be null. `onIgnored` is told why entries of it are not
  /// used.
  ScheduleSearch(const SearchOptions &options, mlir::MLIRContext &context,
                 llvm::StringRef target, Measurer *measurer,
                 TuningDatabase *database,
                 std::function<void(const std::string &)> onIgnored)
      : options(options), context(context), target(target), measurer(measurer),
        database(database), onIgnored(std::move(onIgnored)) {}

  /// Chooses a schedule for each of `kernels`. Fails if measuring or the
  /// database fails; what was found until then is chosen.
  llvm::Error run(llvm::MutableArrayRef<SearchKernel> kernels);

  unsigned getNumMeasured() const { return measured; }

private:
  TuningKey keyOf(const SearchKernel &kernel) const;
  llvm::Expected<bool> recall(SearchKernel &kernel);
  llvm::Error measure(llvm::MutableArrayRef<SearchKernel> kernels);

  const SearchOptions &options;
  mlir::MLIRContext &context;
  std::string target;
  Measurer *measurer;
  TuningDatabase *database;
  std::function<void(const std::string &)> onIgnored;
  unsigned measured = 0;
};

} // namespace stof

#endif // STOF_SEARCH_SCHEDULESEARCH_H

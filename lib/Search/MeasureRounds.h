//===----------------------------------------------------------------------===//
// Rounds of measurements for the schedules of kernels (ScheduleSearch.h).
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_MEASUREROUNDS_H
#define STOF_LIB_SEARCH_MEASUREROUNDS_H

#include "stof/Search/ScheduleSearch.h"

namespace stof {

/// What the rounds of a search need, and whom they tell.
struct MeasureContext {
  const SearchOptions &options;
  /// The context with the dialects of candidates.
  mlir::MLIRContext &dialects;
  llvm::StringRef target;
  Measurer &measurer;
  /// Called after each measurement, before the next.
  llvm::function_ref<llvm::Error(const SearchKernel &, const TunedSchedule &)>
      onMeasured;
  /// Called for a kernel whose search is over.
  llvm::function_ref<llvm::Error(const SearchKernel &)> onFinished;
};

/// A time that is shorter by less than this share may be as long.
inline constexpr double measurementNoise = 0.01;

/// Measures schedules of `kernels`, which have several, until the budget is
/// used or no kernel gains. `numMeasured` is set also on failure.
llvm::Error measureRounds(const MeasureContext &context,
                          llvm::ArrayRef<SearchKernel *> kernels,
                          unsigned &numMeasured);

} // namespace stof

#endif // STOF_LIB_SEARCH_MEASUREROUNDS_H

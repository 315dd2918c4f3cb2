//===----------------------------------------------------------------------===//
// How many runs of a call are timed, on all devices.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_TIMERUNS_H
#define STOF_LIB_RUNTIME_TIMERUNS_H

#include "stof/Runtime/Device.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stof::runtime {

/// Appends the microseconds of each of `count` runs.
using MeasureRuns = llvm::function_ref<llvm::Error(
    unsigned count, std::vector<double> &microseconds)>;

/// The microseconds of runs within `limits`, after at most `warmUps` runs that
/// do not count; of fewer where those take a share of the time allowed.
llvm::Expected<std::vector<double>>
timeRuns(const TimingLimits &limits, unsigned warmUps, MeasureRuns measure);

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_TIMERUNS_H

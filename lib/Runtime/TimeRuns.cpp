//===----------------------------------------------------------------------===//
// Fewer runs of calls that take long: their times vary less.
//===----------------------------------------------------------------------===//

#include "TimeRuns.h"

#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace stof::runtime;

/// The runs for whose median the time allowed is exceeded if need be.
static constexpr unsigned fewestRuns = 5;

Expected<std::vector<double>>
stof::runtime::timeRuns(const TimingLimits &limits, unsigned warmUps,
                        MeasureRuns measure) {
  // Runs between waits for the device.
  constexpr unsigned mostAtOnce = 256;
  // Of the time allowed, for all warm-ups but the first.
  constexpr double warmUpShare = 0.1;
  std::vector<double> times;
  auto getTotal = [&] {
    return std::accumulate(times.begin(), times.end(), 0.0);
  };
  if (Error error = measure(1, times))
    return std::move(error);
  // A run alone takes longer by its launch, which says nothing of short ones.
  bool isLong = times.front() * limits.repeat > limits.total;
  if (isLong && times.front() > limits.slow) {
    if (Error error = measure(1, times))
      return std::move(error);
    if (times.back() > limits.slow)
      return std::vector<double>{times.back()};
  }
  while (times.size() < warmUps && getTotal() < warmUpShare * limits.total)
    if (Error error = measure(1, times))
      return std::move(error);
  double each = *std::min_element(times.begin(), times.end());
  unsigned wanted = limits.repeat;
  if (each * wanted > limits.total)
    wanted = std::clamp(static_cast<unsigned>(limits.total / each),
                        std::min(fewestRuns, wanted), wanted);
  times.clear();
  while (times.size() < wanted)
    if (Error error =
            measure(std::min<size_t>(wanted - times.size(), mostAtOnce), times))
      return std::move(error);
  return times;
}

//===----------------------------------------------------------------------===//
// The choice of a schedule that ships: the one that the search made, by the
// times that it measured.
//===----------------------------------------------------------------------===//

#include "ChooseShipped.h"

#include "KnownSchedules.h"
#include "MeasureRounds.h"

#include "llvm/Support/FormatVariadic.h"

using namespace stof;

bool stof::chooseShipped(SearchedKernel &kernel, const ShippedSearch &search,
                         llvm::StringRef device,
                         TuningDatabase::OnIgnored onIgnored) {
  constexpr llvm::StringLiteral what = "a shipped entry";
  const TunedSchedule *fastest = search.findBest();
  if (!fastest || !findKnown(kernel, fastest->schedule, what, onIgnored))
    return false;
  takeKnown(kernel, search.schedules, what, onIgnored);
  const TriedSchedule &untuned = kernel.schedules[kernel.untuned];
  size_t best = *findFastest(kernel);
  double factor =
      untuned.measured.value_or(0) / *kernel.schedules[best].measured;
  bool isFaster = !untuned.measured || factor > 1 + measurementNoise;
  kernel.chosen = isFaster ? best : kernel.untuned;
  std::string choice = "no schedule was measured to be faster";
  if (isFaster)
    choice = untuned.measured
                 ? llvm::formatv("measured to be {0:f2}x as fast", factor).str()
                 : "measured to be the fastest";
  kernel.reason = choice + " on " + device.str() + ", shipped";
  return true;
}

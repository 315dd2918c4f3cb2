//===----------------------------------------------------------------------===//
// The choice of a schedule that ships: the one that the search made, by the
// times that it measured.
//===----------------------------------------------------------------------===//

#include "ChooseShipped.h"

#include "MeasureRounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace stof;

/// The schedules of `search` that `kernel` can have; none if the fastest is not
/// one of them.
static std::vector<std::pair<TriedSchedule *, const Measurement *>>
match(SearchedKernel &kernel, const ShippedSearch &search,
      TuningDatabase::OnIgnored onIgnored) {
  std::vector<std::pair<TriedSchedule *, const Measurement *>> matched;
  const TunedSchedule *best = search.findBest();
  bool hasBest = false;
  for (const TunedSchedule &tuned : search.schedules) {
    auto found =
        llvm::find_if(kernel.schedules, [&](const TriedSchedule &tried) {
          return tried.schedule == tuned.schedule;
        });
    if (found == kernel.schedules.end()) {
      onIgnored(
          "a shipped entry for " + kernel.name +
          " has a schedule that no kernel can have now: " + tuned.schedule);
      continue;
    }
    hasBest |= &tuned == best;
    matched.push_back({&*found, &tuned.measurement});
  }
  if (!hasBest)
    matched.clear();
  return matched;
}

bool stof::chooseShipped(SearchedKernel &kernel, const ShippedSearch &search,
                         llvm::StringRef device,
                         TuningDatabase::OnIgnored onIgnored) {
  auto matched = match(kernel, search, onIgnored);
  if (matched.empty())
    return false;
  for (auto [tried, measurement] : matched) {
    tried->isKnown = true;
    tried->failure = measurement->failure;
    if (tried->failure.empty()) {
      tried->measured = measurement->microseconds;
      tried->clockMHz = measurement->clockMHz;
    }
  }
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

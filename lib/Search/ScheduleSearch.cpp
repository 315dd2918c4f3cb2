//===----------------------------------------------------------------------===//
// The search for the schedules of kernels: what is known, what is measured, and
// the choice.
//===----------------------------------------------------------------------===//

#include "stof/Search/ScheduleSearch.h"

#include "KnownSchedules.h"
#include "MeasureRounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stof;
using llvm::Error;

std::optional<size_t> stof::findFastest(const SearchedKernel &kernel) {
  std::optional<size_t> best;
  for (auto [number, schedule] : llvm::enumerate(kernel.schedules))
    if (schedule.measured &&
        (!best || *schedule.measured < *kernel.schedules[*best].measured))
      best = number;
  return best;
}

/// Chooses by predicted time. `reason` is why nothing was measured, if there is
/// one.
static void choosePredicted(SearchedKernel &kernel) {
  // The model does not distinguish times that are closer.
  constexpr double modelNoise = 0.05;
  // They are sorted.
  std::optional<double> fastest = kernel.schedules.front().predicted,
                        untuned = kernel.schedules[kernel.untuned].predicted;
  bool isFaster =
      fastest && (!untuned || *untuned > *fastest * (1 + modelNoise));
  kernel.chosen = isFaster ? 0 : kernel.untuned;
  std::string choice = isFaster ? "predicted to be the fastest"
                                : "no schedule is predicted to be faster";
  kernel.reason =
      kernel.reason.empty() ? choice : choice + "; " + kernel.reason;
}

static void chooseMeasured(SearchedKernel &kernel) {
  std::optional<size_t> best = findFastest(kernel);
  std::optional<double> untuned = kernel.schedules[kernel.untuned].measured;
  if (!best || !untuned) {
    kernel.chosen = kernel.untuned;
    if (kernel.reason.empty())
      kernel.reason = "the search ended before it was measured";
    return;
  }
  double factor = *untuned / *kernel.schedules[*best].measured;
  bool isFaster = factor > 1 + measurementNoise;
  kernel.chosen = isFaster ? *best : kernel.untuned;
  kernel.reason =
      isFaster ? llvm::formatv("measured to be {0:f2}x as fast", factor).str()
               : "no schedule was measured to be faster";
}

TuningKey ScheduleSearch::keyOf(const SearchKernel &kernel) const {
  const MeasuredDevice &device = measurer->getDevice();
  return {kernel.report.signature, device.name, device.driver, target,
          STOF_VERSION};
}

/// Adds what the database knows of `kernel`; returns whether its search is
/// over.
llvm::Expected<bool> ScheduleSearch::recall(SearchKernel &kernel) {
  llvm::Expected<std::vector<TunedSchedule>> known =
      database->find(keyOf(kernel), onIgnored);
  if (!known)
    return known.takeError();
  takeKnown(kernel.report, *known, "an entry", onIgnored);
  llvm::Expected<std::optional<unsigned>> finished =
      database->findFinished(keyOf(kernel));
  if (!finished)
    return finished.takeError();
  return *finished && **finished >= options.budget;
}

Error ScheduleSearch::measure(MutableArrayRef<SearchKernel> kernels) {
  SmallVector<SearchKernel *> open;
  for (SearchKernel &kernel : kernels) {
    if (kernel.text.empty() || kernel.report.schedules.empty())
      continue;
    llvm::Expected<bool> isOver = database ? recall(kernel) : false;
    if (!isOver)
      return isOver.takeError();
    if (!*isOver)
      open.push_back(&kernel);
  }
  if (open.empty())
    return Error::success();
  auto onMeasured = [&](const SearchKernel &kernel,
                        const TunedSchedule &schedule) {
    return database ? database->add(keyOf(kernel), schedule) : Error::success();
  };
  auto onFinished = [&](const SearchKernel &kernel) {
    return database ? database->finish(keyOf(kernel), options.budget)
                    : Error::success();
  };
  return measureRounds(
      {options, context, target, *measurer, onMeasured, onFinished}, open,
      measured);
}

Error ScheduleSearch::run(MutableArrayRef<SearchKernel> kernels) {
  Error failed = measurer ? measure(kernels) : Error::success();
  for (SearchKernel &kernel : kernels) {
    SearchedKernel &report = kernel.report;
    if (report.schedules.size() < 2)
      report.reason = "there is one schedule";
    else if (measurer && !kernel.text.empty())
      chooseMeasured(report);
    else
      choosePredicted(report);
  }
  return failed;
}

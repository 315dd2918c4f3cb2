//===----------------------------------------------------------------------===//
// Figures of a search, and its report as JSON.
//===----------------------------------------------------------------------===//

#include "stof/Search/SearchReport.h"

#include "stof/Search/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <tuple>

using namespace stof;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

std::optional<SearchGain> SearchedKernel::getGain() const {
  if (untuned >= schedules.size() || chosen >= schedules.size())
    return std::nullopt;
  const TriedSchedule &before = schedules[untuned], &after = schedules[chosen];
  auto compare = [](std::optional<double> before, std::optional<double> after,
                    bool isMeasured) -> std::optional<SearchGain> {
    // A clock that is too coarse for a kernel measures 0.
    if (!before || !after || *before <= 0 || *after <= 0)
      return std::nullopt;
    return SearchGain{*before, *after, isMeasured};
  };
  auto measured = compare(before.measured, after.measured, true);
  return measured ? measured
                  : compare(before.predicted, after.predicted, false);
}

double SearchedKernel::getSaved() const {
  std::optional<SearchGain> gain = getGain();
  return gain ? gain->getSaved() * places.size() : 0;
}

size_t SearchedKernel::countMeasured() const {
  return llvm::count_if(schedules, [](const TriedSchedule &tried) {
    return tried.measured.has_value();
  });
}

size_t SearchedKernel::countFailed() const {
  return llvm::count_if(schedules, [](const TriedSchedule &tried) {
    return !tried.failure.empty();
  });
}

std::optional<PredictionQuality> SearchedKernel::judgePredictions() const {
  std::vector<double> predicted, measured, ratios;
  for (const TriedSchedule &tried : schedules) {
    if (tried.predicted.value_or(0) <= 0 || tried.measured.value_or(0) <= 0)
      continue;
    predicted.push_back(*tried.predicted);
    measured.push_back(*tried.measured);
    ratios.push_back(*tried.measured / *tried.predicted);
  }
  if (predicted.empty())
    return std::nullopt;
  PredictionQuality quality;
  quality.count = predicted.size();
  quality.rankCorrelation = rankCorrelation(predicted, measured);
  quality.bias = *geometricMean(ratios);
  double first = measured[llvm::min_element(predicted) - predicted.begin()];
  for (double time : measured)
    quality.place += time < first;
  quality.regret = first / *llvm::min_element(measured);
  return quality;
}

std::vector<const SearchedKernel *> SearchReport::rankKernels() const {
  std::vector<const SearchedKernel *> order;
  for (const SearchedKernel &kernel : kernels)
    order.push_back(&kernel);
  auto weigh = [](const SearchedKernel *kernel) {
    std::optional<SearchGain> gain = kernel->getGain();
    double time = gain ? gain->chosen * kernel->places.size() : 0;
    // Kernels of equal weight stay in order.
    return std::make_tuple(-kernel->getSaved(), -time, kernel);
  };
  llvm::sort(order,
             [&](const SearchedKernel *left, const SearchedKernel *right) {
               return weigh(left) < weigh(right);
             });
  return order;
}

std::optional<SearchTotal> SearchReport::getTotal() const {
  SearchTotal total;
  total.isMeasured = llvm::any_of(kernels, [](const SearchedKernel &kernel) {
    std::optional<SearchGain> gain = kernel.getGain();
    return gain && gain->isMeasured;
  });
  std::vector<double> factors;
  for (const SearchedKernel &kernel : kernels) {
    std::optional<SearchGain> gain = kernel.getGain();
    if (!gain || gain->isMeasured != total.isMeasured)
      continue;
    factors.push_back(gain->getFactor());
    total.untuned += gain->untuned * kernel.places.size();
    total.chosen += gain->chosen * kernel.places.size();
  }
  if (factors.empty())
    return std::nullopt;
  total.kernels = factors.size();
  total.meanGain = *geometricMean(factors);
  return total;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// More decimals would exceed the accuracy of a clock.
static double trim(double value) { return std::round(value * 1000) / 1000; }

static llvm::json::Value trim(std::optional<double> value) {
  return value ? llvm::json::Value(trim(*value)) : nullptr;
}

/// Text of drivers and of sources need not be Unicode, which JSON is.
static std::string encode(StringRef text) { return llvm::json::fixUTF8(text); }

static StringRef spellTimes(bool areMeasured) {
  return areMeasured ? "measured" : "predicted";
}

static llvm::json::Value describe(const TriedSchedule &tried) {
  llvm::json::Object object{{"schedule", encode(tried.schedule)},
                            {"predicted_us", trim(tried.predicted)},
                            {"bound", encode(tried.bound)},
                            {"measured_us", trim(tried.measured)},
                            {"known", tried.isKnown}};
  if (tried.clockMHz)
    object["clock_mhz"] = tried.clockMHz;
  if (!tried.failure.empty())
    object["failure"] = encode(tried.failure);
  return object;
}

static llvm::json::Value describe(const SearchedKernel &kernel) {
  llvm::json::Array places, schedules;
  for (const std::string &place : kernel.places)
    places.push_back(encode(place));
  for (const TriedSchedule &tried : kernel.schedules)
    schedules.push_back(describe(tried));
  llvm::json::Value gain = nullptr, predictions = nullptr;
  if (std::optional<SearchGain> known = kernel.getGain())
    gain = llvm::json::Object{{"times", spellTimes(known->isMeasured)},
                              {"untuned_us", trim(known->untuned)},
                              {"chosen_us", trim(known->chosen)},
                              {"factor", trim(known->getFactor())},
                              {"saved_us", trim(kernel.getSaved())}};
  if (std::optional<PredictionQuality> quality = kernel.judgePredictions())
    predictions =
        llvm::json::Object{{"schedules", static_cast<int64_t>(quality->count)},
                           {"rank_correlation", trim(quality->rankCorrelation)},
                           {"bias", trim(quality->bias)},
                           {"place", static_cast<int64_t>(quality->place)},
                           {"regret", trim(quality->regret)}};
  return llvm::json::Object{{"signature", encode(kernel.signature)},
                            {"name", encode(kernel.name)},
                            {"places", std::move(places)},
                            {"untuned", static_cast<int64_t>(kernel.untuned)},
                            {"chosen", static_cast<int64_t>(kernel.chosen)},
                            {"reason", encode(kernel.reason)},
                            {"gain", std::move(gain)},
                            {"predictions", std::move(predictions)},
                            {"schedules", std::move(schedules)}};
}

static llvm::json::Value describe(const SearchedScheme &scheme) {
  return llvm::json::Object{{"function", encode(scheme.function)},
                            {"untuned", scheme.untuned},
                            {"chosen", scheme.chosen},
                            {"untuned_us", trim(scheme.untunedMicroseconds)},
                            {"chosen_us", trim(scheme.chosenMicroseconds)},
                            {"tried", scheme.tried}};
}

llvm::json::Object SearchReport::toJSON() const {
  llvm::json::Array listedSchemes, listedKernels;
  for (const SearchedScheme &scheme : schemes)
    listedSchemes.push_back(describe(scheme));
  for (const SearchedKernel *kernel : rankKernels())
    listedKernels.push_back(describe(*kernel));
  llvm::json::Value measuredOn = nullptr, sum = nullptr;
  if (!device.name.empty())
    measuredOn = llvm::json::Object{{"name", encode(device.name)},
                                    {"driver", encode(device.driver)}};
  if (std::optional<SearchTotal> total = getTotal())
    sum = llvm::json::Object{{"times", spellTimes(total->isMeasured)},
                             {"kernels", static_cast<int64_t>(total->kernels)},
                             {"untuned_us", trim(total->untuned)},
                             {"chosen_us", trim(total->chosen)},
                             {"mean_gain", trim(total->meanGain)}};
  llvm::json::Value reason = nullptr;
  if (!notMeasured.empty())
    reason = encode(notMeasured);
  return llvm::json::Object{{"target", encode(target)},
                            {"not_measured", std::move(reason)},
                            {"device", std::move(measuredOn)},
                            {"compiler", encode(compiler)},
                            {"seed", seed},
                            {"budget", budget},
                            {"measured", measured},
                            {"seconds", trim(seconds)},
                            {"interrupted", isInterrupted},
                            {"total", std::move(sum)},
                            {"schemes", std::move(listedSchemes)},
                            {"kernels", std::move(listedKernels)}};
}

//===----------------------------------------------------------------------===//
// Times of a kernel's fastest schedules as bars.
//===----------------------------------------------------------------------===//

#include "Plots.h"

#include "Drawing.h"
#include "FormatNumbers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace stof;

/// More bars say no more than the table of schedules.
static constexpr size_t mostBars = 12;

/// The numbers of schedules with a time, first the fastest; of those beyond
/// `mostBars` only the untuned and the chosen one.
static std::vector<size_t>
listBars(const SearchedKernel &kernel,
         std::optional<double> TriedSchedule::*time) {
  std::vector<size_t> numbers;
  for (auto [number, tried] : llvm::enumerate(kernel.schedules))
    if (tried.*time)
      numbers.push_back(number);
  llvm::sort(numbers, [&](size_t left, size_t right) {
    return std::make_pair(kernel.schedules[left].*time, left) <
           std::make_pair(kernel.schedules[right].*time, right);
  });
  size_t at = 0;
  llvm::erase_if(numbers, [&](size_t number) {
    return at++ >= mostBars && number != kernel.untuned &&
           number != kernel.chosen;
  });
  return numbers;
}

void stof::plotBars(Markup &page, const SearchedKernel &kernel) {
  bool areMeasured = kernel.countMeasured();
  auto time =
      areMeasured ? &TriedSchedule::measured : &TriedSchedule::predicted;
  std::vector<size_t> numbers = listBars(kernel, time);
  if (numbers.empty()) {
    page.leaf("p", {{"class", "soft"}}, "No schedule has a time.");
    return;
  }
  double longest = *(kernel.schedules[numbers.back()].*time);
  constexpr double pitch = 24, thickness = 14, left = 34, width = 250;
  std::string title = areMeasured ? "Measured times" : "Predicted times";
  Markup::Element figure(page, "figure");
  {
    Drawing drawing(page, 464, pitch * numbers.size() + 4,
                    title + " of " + kernel.name);
    for (auto [row, number] : llvm::enumerate(numbers)) {
      double y = pitch * row + 4;
      double value = *(kernel.schedules[number].*time);
      double length = longest > 0 ? width * value / longest : 0;
      Markup::Element bar(page, "g");
      page.leaf("title", {}, describeSchedule(kernel, number));
      drawText(page, "tick", "end", left - 8, y + 11,
               "#" + std::to_string(number));
      drawBox(page, "length", left, y, std::max(1.0, length), thickness, 2);
      std::string label = formatTime(value);
      if (!areMeasured && !kernel.schedules[number].bound.empty())
        label += ", " + kernel.schedules[number].bound;
      if (number == kernel.untuned)
        label += ", untuned";
      if (number == kernel.chosen)
        label += ", chosen";
      drawText(page, "tick", "start", left + length + 8, y + 11, label);
    }
  }
  page.leaf("figcaption", {},
            title + " of the fastest schedules, by their numbers.");
}

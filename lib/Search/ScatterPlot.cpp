//===----------------------------------------------------------------------===//
// Predicted against measured times of a kernel's schedules, on logarithmic
// axes: a good cost model is a rising line, a right one is the diagonal.
//===----------------------------------------------------------------------===//

#include "Plots.h"

#include "Drawing.h"
#include "FormatNumbers.h"
#include "LogScale.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <limits>

using namespace stof;
using llvm::StringRef;

// Both axes are the same, so that the diagonal goes from corner to corner.
static constexpr double left = 54, top = 22, side = 370;
static constexpr double right = left + side, bottom = top + side;

static bool isPlotted(const TriedSchedule &tried) {
  return tried.predicted.value_or(0) > 0 && tried.measured.value_or(0) > 0;
}

std::string stof::describeSchedule(const SearchedKernel &kernel,
                                   size_t number) {
  const TriedSchedule &tried = kernel.schedules[number];
  std::string text = "#" + std::to_string(number) + " " + tried.schedule;
  if (tried.predicted)
    text += "\npredicted " + formatTime(*tried.predicted) +
            (tried.bound.empty() ? "" : ", bound: " + tried.bound);
  if (tried.measured)
    text += "\nmeasured " + formatTime(*tried.measured);
  if (tried.clockMHz)
    text += " at " + std::to_string(tried.clockMHz) + " MHz";
  if (tried.isKnown)
    text += " in an earlier search";
  if (!tried.failure.empty())
    text += "\nfailed: " + tried.failure;
  return text;
}

namespace {

class ScatterPlot {
public:
  ScatterPlot(Markup &page, const SearchedKernel &kernel,
              std::pair<double, double> range)
      : page(page), kernel(kernel),
        across(range.first, range.second, left, right),
        up(range.first, range.second, bottom, top) {}

  void plot() {
    Markup::Element figure(page, "figure");
    {
      Drawing drawing(page, right + 20, bottom + 44,
                      "Measured against predicted times of " + kernel.name);
      plotBackground();
      plotAxes();
      plotEdges();
      plotMeasured();
      plotChoice();
    }
    printLegend();
  }

private:
  /// What is within a factor of two of its prediction.
  void plotBackground() {
    double two = across.getPosition(2) - across.getPosition(1);
    double reach = std::min(two, side);
    auto at = [](double x, double y) {
      return formatPixels(x) + "," + formatPixels(y) + " ";
    };
    page.empty(
        "polygon",
        {{"class", "band"},
         {"points", at(left, bottom) + at(left, bottom - reach) +
                        at(right - reach, top) + at(right, top) +
                        at(right, top + reach) + at(left + reach, bottom)}});
  }

  void plotAxes() {
    for (double tick : across.getTicks()) {
      double x = across.getPosition(tick), y = up.getPosition(tick);
      drawLine(page, "grid", x, top, x, bottom);
      drawLine(page, "grid", left, y, right, y);
      std::string label = formatTick(tick);
      drawText(page, "tick across", "middle", x, bottom + 17, label);
      drawText(page, "tick up", "end", left - 7, y + 4, label);
    }
    drawLine(page, "diagonal", left, bottom, right, top);
    drawBox(page, "frame", left, top, side, side);
    drawText(page, "axis", "middle", (left + right) / 2, bottom + 37,
             "predicted (\u00B5s)");
    drawText(page, "axis", "start", 4, top - 9, "measured (\u00B5s)");
  }

  /// Without the zeros that say nothing.
  static std::string formatTick(double tick) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", tick);
    return text;
  }

  /// Schedules without a measured time: failed ones at the upper edge, others
  /// at the lower edge.
  void plotEdges() {
    for (auto [number, tried] : llvm::enumerate(kernel.schedules)) {
      if (tried.measured || !tried.predicted ||
          !across.contains(*tried.predicted))
        continue;
      bool hasFailed = !tried.failure.empty();
      plotMark(hasFailed ? Mark::Failed : Mark::Unmeasured, number,
               across.getPosition(*tried.predicted),
               hasFailed ? top + 8 : bottom - 5);
    }
  }

  void plotMeasured() {
    for (auto [number, tried] : llvm::enumerate(kernel.schedules))
      if (isPlotted(tried) && number != kernel.chosen)
        plotMark(tried.isKnown ? Mark::Known : Mark::Measured, number,
                 across.getPosition(*tried.predicted),
                 up.getPosition(*tried.measured));
  }

  void plotChoice() {
    size_t untuned = kernel.untuned, chosen = kernel.chosen;
    bool hasUntuned = plotPoint(Mark::Untuned, untuned);
    bool hasChosen = plotPoint(Mark::Chosen, chosen);
    if (hasUntuned && hasChosen && untuned == chosen) {
      plotLabel("chosen", "untuned, chosen", chosen, /*isAbove=*/false);
      return;
    }
    // Labels do not meet: that of the slower schedule is above its mark.
    if (hasUntuned)
      plotLabel("untuned", "untuned", untuned,
                !hasChosen || *kernel.schedules[untuned].measured >=
                                  *kernel.schedules[chosen].measured);
    if (hasChosen)
      plotLabel("chosen", "chosen", chosen,
                hasUntuned && *kernel.schedules[chosen].measured >
                                  *kernel.schedules[untuned].measured);
  }

  bool plotPoint(Mark mark, size_t number) {
    if (number >= kernel.schedules.size() ||
        !isPlotted(kernel.schedules[number]))
      return false;
    const TriedSchedule &tried = kernel.schedules[number];
    plotMark(mark, number, across.getPosition(*tried.predicted),
             up.getPosition(*tried.measured));
    return true;
  }

  void plotLabel(StringRef style, StringRef text, size_t number, bool isAbove) {
    const TriedSchedule &tried = kernel.schedules[number];
    double x = across.getPosition(*tried.predicted);
    bool isLeft = x < (left + right) / 2;
    // Within the frame, where no tick is.
    double y = std::clamp(up.getPosition(*tried.measured) + (isAbove ? -9 : 18),
                          top + 14, bottom - 8);
    drawText(page, ("label " + style).str(), isLeft ? "start" : "end",
             x + (isLeft ? 11 : -11), y, text);
  }

  void plotMark(Mark mark, size_t number, double x, double y) {
    if (!llvm::is_contained(used, mark))
      used.push_back(mark);
    drawMark(page, mark, x, y, describeSchedule(kernel, number));
  }

  void printLegend() {
    static constexpr std::pair<Mark, StringRef> meanings[] = {
        {Mark::Chosen, "chosen"},
        {Mark::Untuned, "untuned"},
        {Mark::Measured, "measured"},
        {Mark::Known, "measured in an earlier search"},
        {Mark::Failed, "failed (upper edge)"},
        {Mark::Unmeasured, "not measured (lower edge)"}};
    Markup::Element caption(page, "figcaption");
    {
      Markup::Element list(page, "ul", {{"class", "legend"}});
      for (auto [mark, meaning] : meanings) {
        if (!llvm::is_contained(used, mark))
          continue;
        Markup::Element item(page, "li");
        {
          Markup::Element icon(
              page, "svg",
              {{"viewBox", "-9 -9 18 18"}, {"aria-hidden", "true"}});
          drawMark(page, mark, 0, 0, meaning);
        }
        page.text(meaning);
      }
    }
    page.text("Dashed: measured as predicted; shaded: within a factor of two.");
  }

  Markup &page;
  const SearchedKernel &kernel;
  LogScale across, up;
  llvm::SmallVector<Mark> used;
};

} // namespace

void stof::plotScatter(Markup &page, const SearchedKernel &kernel) {
  double least = std::numeric_limits<double>::max(), most = 0;
  for (const TriedSchedule &tried : kernel.schedules) {
    if (!isPlotted(tried))
      continue;
    least = std::min({least, *tried.predicted, *tried.measured});
    most = std::max({most, *tried.predicted, *tried.measured});
  }
  ScatterPlot(page, kernel, {least, most}).plot();
}

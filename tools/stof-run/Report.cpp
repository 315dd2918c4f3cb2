//===----------------------------------------------------------------------===//
// The report of a run as text and as JSON.
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace stof::runtime;

namespace {

struct Summary {
  double minimum, median, maximum;
};

} // namespace

/// `times` is not empty.
static Summary summarise(std::vector<double> times) {
  llvm::sort(times);
  size_t middle = times.size() / 2;
  double median = times.size() % 2 ? times[middle]
                                   : (times[middle - 1] + times[middle]) / 2;
  return {times.front(), median, times.back()};
}

void stof::runtime::printText(const Report &report, raw_ostream &os) {
  if (!report.microseconds.empty()) {
    auto [minimum, median, maximum] = summarise(report.microseconds);
    os << format("time: minimum %.2f us, median %.2f us, maximum %.2f us",
                 minimum, median, maximum)
       << " of " << report.microseconds.size() << " runs\n";
  }
  for (const Comparison &comparison : report.comparisons)
    os << comparison.result
       << format(": error %.3g, tolerance %.3g: ", comparison.error,
                 comparison.tolerance)
       << (comparison.holds() ? "ok" : "FAILED") << "\n";
}

void stof::runtime::printJson(const Report &report, raw_ostream &os) {
  const Program &program = report.program;
  json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("function", program.getFunction().name);
    json.attribute("target", program.getTarget().name);
    json.attribute("device", program.getDevice().getName());
    json.attribute("device_description", program.getDevice().describe());
    json.attributeObject("symbols", [&] {
      for (auto [symbol, value] :
           zip(program.getFunction().symbols, report.call.symbols))
        json.attribute(symbol.name, value);
    });
    json.attributeArray("steps", [&] {
      for (const Step &step : program.getTarget().steps)
        json.value(std::visit([](const auto &s) { return s.symbol; }, step));
    });
    json.attribute("workspace_bytes", report.call.workspaceBytes);
    if (!report.microseconds.empty())
      json.attributeObject("time_us", [&] {
        auto [minimum, median, maximum] = summarise(report.microseconds);
        json.attribute("runs",
                       static_cast<int64_t>(report.microseconds.size()));
        json.attribute("minimum", minimum);
        json.attribute("median", median);
        json.attribute("maximum", maximum);
      });
    if (!report.comparisons.empty())
      json.attributeArray("comparisons", [&] {
        for (const Comparison &comparison : report.comparisons)
          json.object([&] {
            json.attribute("result", comparison.result);
            // JSON has no infinity.
            json.attribute("error", std::isfinite(comparison.error)
                                        ? json::Value(comparison.error)
                                        : json::Value(nullptr));
            json.attribute("tolerance", comparison.tolerance);
            json.attribute("ok", comparison.holds());
          });
      });
  });
  os << "\n";
}

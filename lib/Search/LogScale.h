//===----------------------------------------------------------------------===//
// A logarithmic axis of a plot.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_LOGSCALE_H
#define STOF_LIB_SEARCH_LOGSCALE_H

#include <vector>

namespace stof {

/// Values, all positive, at positions from `from` to `to`.
class LogScale {
public:
  /// Shows `least` to `most` with a margin, and a factor of three at least.
  LogScale(double least, double most, double from, double to);

  double getPosition(double value) const;
  bool contains(double value) const { return value >= low && value <= high; }

  /// Round values, two at least.
  std::vector<double> getTicks() const;

private:
  double low, high;
  double from, to;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_LOGSCALE_H

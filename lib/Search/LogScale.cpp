//===----------------------------------------------------------------------===//
// A logarithmic axis of a plot.
//===----------------------------------------------------------------------===//

#include "LogScale.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cmath>

using namespace stof;

LogScale::LogScale(double least, double most, double from, double to)
    : from(from), to(to) {
  constexpr double margin = 1.15, factor = 3;
  double widening =
      std::max(margin, std::sqrt(factor / std::max(1.0, most / least)));
  low = least / widening;
  high = most * widening;
}

double LogScale::getPosition(double value) const {
  return from + (to - from) * std::log(value / low) / std::log(high / low);
}

std::vector<double> LogScale::getTicks() const {
  static constexpr double tens[] = {1}, coarse[] = {1, 2, 5},
                          fine[] = {1, 1.5, 2, 3, 4, 5, 6, 8};
  constexpr size_t enough = 4;
  std::vector<double> ticks;
  for (llvm::ArrayRef<double> digits :
       {llvm::ArrayRef<double>(tens), llvm::ArrayRef<double>(coarse),
        llvm::ArrayRef<double>(fine)}) {
    ticks.clear();
    for (int decade = std::floor(std::log10(low));
         decade <= std::floor(std::log10(high)); ++decade)
      for (double digit : digits)
        if (double tick = digit * std::pow(10, decade); contains(tick))
          ticks.push_back(tick);
    if (ticks.size() >= enough)
      break;
  }
  return ticks;
}

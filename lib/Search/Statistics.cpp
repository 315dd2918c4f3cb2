//===----------------------------------------------------------------------===//
// Statistics of predicted and measured times.
//===----------------------------------------------------------------------===//

#include "stof/Search/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <cassert>
#include <cmath>
#include <numeric>

using llvm::ArrayRef;

std::optional<double> stof::geometricMean(ArrayRef<double> values) {
  if (values.empty())
    return std::nullopt;
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / values.size());
}

std::optional<double> stof::median(ArrayRef<double> values) {
  if (values.empty())
    return std::nullopt;
  std::vector<double> sorted = values.vec();
  llvm::sort(sorted);
  size_t middle = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[middle]
                           : (sorted[middle - 1] + sorted[middle]) / 2;
}

std::vector<double> stof::rankValues(ArrayRef<double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t left, size_t right) {
    return values[left] < values[right];
  });
  std::vector<double> ranks(values.size());
  for (size_t first = 0, last; first < order.size(); first = last) {
    last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]])
      ++last;
    // The mean of the ranks first + 1, ..., last.
    for (size_t at = first; at < last; ++at)
      ranks[order[at]] = (first + 1 + last) / 2.0;
  }
  return ranks;
}

std::optional<double> stof::rankCorrelation(ArrayRef<double> first,
                                            ArrayRef<double> second) {
  assert(first.size() == second.size() && "expects pairs");
  if (first.size() < 3)
    return std::nullopt;
  std::vector<double> left = rankValues(first), right = rankValues(second);
  // With ties, the formula of squared differences of ranks does not hold:
  // this is Pearson's correlation of the ranks.
  double mean = (first.size() + 1) / 2.0;
  double product = 0, leftSquares = 0, rightSquares = 0;
  for (auto [a, b] : llvm::zip(left, right)) {
    product += (a - mean) * (b - mean);
    leftSquares += (a - mean) * (a - mean);
    rightSquares += (b - mean) * (b - mean);
  }
  if (leftSquares == 0 || rightSquares == 0)
    return std::nullopt;
  return product / std::sqrt(leftSquares * rightSquares);
}

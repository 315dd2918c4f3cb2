//===----------------------------------------------------------------------===//
// Differences in f64, for all dtypes. Elements with the same bits have none:
// most elements of two right results do, and only the others are converted.
//===----------------------------------------------------------------------===//

#include "Difference.h"

#include "ParallelRanges.h"
#include "Widener.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace stof::runtime;

namespace {

/// Two tensors of as many elements, and the conversion of both.
class Pair {
public:
  Pair(const HostTensor &result, const HostTensor &golden)
      : result(result), golden(golden), widenResult(result.dtype),
        widenGolden(golden.dtype) {}

  /// The largest difference of elements from `begin` to `end`.
  double compare(int64_t begin, int64_t end) const {
    return result.dtype == golden.dtype ? compareBits(begin, end)
                                        : compareValues(begin, end);
  }

private:
  double compareValues(int64_t begin, int64_t end) const;
  double compareBits(int64_t begin, int64_t end) const;

  const HostTensor &result, &golden;
  Widener widenResult, widenGolden;
};

} // namespace

static double getDifference(double result, double golden) {
  if (result == golden || (std::isnan(result) && std::isnan(golden)))
    return 0;
  bool areFinite = std::isfinite(result) && std::isfinite(golden);
  return areFinite ? std::fabs(result - golden) : INFINITY;
}

double Pair::compareValues(int64_t begin, int64_t end) const {
  // Converted in blocks that stay in the cache.
  constexpr int64_t block = 1024;
  std::array<double, block> a, b;
  double difference = 0;
  for (int64_t i = begin; i < end; i += block) {
    size_t size = std::min(block, end - i);
    widenResult.widen(result.bytes.data(), i, {a.data(), size});
    widenGolden.widen(golden.bytes.data(), i, {b.data(), size});
    for (size_t j = 0; j < size; ++j)
      difference = std::max(difference, getDifference(a[j], b[j]));
  }
  return difference;
}

double Pair::compareBits(int64_t begin, int64_t end) const {
  // A few elements, in as many bytes as are compared in a step.
  constexpr int64_t bytes = 32;
  int64_t step = bytes / getByteSize(result.dtype);
  double difference = 0;
  const char *a = result.bytes.data(), *b = golden.bytes.data();
  for (int64_t i = begin; i < end; i += step) {
    int64_t offset = i * getByteSize(result.dtype);
    if (i + step > end || std::memcmp(a + offset, b + offset, bytes) != 0)
      difference =
          std::max(difference, compareValues(i, std::min(i + step, end)));
  }
  return difference;
}

double stof::runtime::findLargestDifference(const HostTensor &result,
                                            const HostTensor &golden,
                                            ThreadPoolInterface &pool) {
  Pair pair(result, golden);
  int64_t count = result.countElements();
  std::vector<double> differences(countRanges(count));
  forRanges(count, pool, [&](size_t range, int64_t begin, int64_t end) {
    differences[range] = pair.compare(begin, end);
  });
  double largest = 0;
  for (double difference : differences)
    largest = std::max(largest, difference);
  return largest;
}

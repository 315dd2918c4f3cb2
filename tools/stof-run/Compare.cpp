//===----------------------------------------------------------------------===//
// Comparison of results in f64, for all dtypes.
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "Widener.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;
using namespace stof::runtime;

double stof::runtime::getDefaultTolerance(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return 1e-12;
  case DType::F32:
    return 1e-5;
  case DType::F16:
    return 2e-3;
  case DType::BF16:
    return 1.6e-2;
  default:
    return 0;
  }
}

namespace {

/// What is found in a range of elements.
struct Extremes {
  double difference = 0; ///< max |result - golden|.
  double magnitude = 0;  ///< max |golden| of the finite elements.

  void add(double result, double golden) {
    bool agrees =
        result == golden || (std::isnan(result) && std::isnan(golden));
    bool isFinite = std::isfinite(result) && std::isfinite(golden);
    double between = isFinite ? std::fabs(result - golden) : INFINITY;
    difference = std::max(difference, agrees ? 0 : between);
    magnitude =
        std::max(magnitude, std::isfinite(golden) ? std::fabs(golden) : 0);
  }
  void add(const Extremes &other) {
    difference = std::max(difference, other.difference);
    magnitude = std::max(magnitude, other.magnitude);
  }
};

} // namespace

static double measureError(const HostTensor &result, const HostTensor &golden) {
  // Converted in blocks that stay in the cache, in ranges that are worth a
  // thread.
  constexpr int64_t block = 1024, range = 1 << 20;
  if (result.dtype == golden.dtype && result.bytes == golden.bytes)
    return 0;
  Widener widenResult(result.dtype), widenGolden(golden.dtype);
  int64_t count = result.countElements();
  std::vector<Extremes> ranges(divideCeil(count, range));
  auto measure = [&](int64_t number) {
    std::array<double, block> a, b;
    int64_t end = std::min(count, (number + 1) * range);
    Extremes extremes;
    for (int64_t i = number * range; i < end; i += block) {
      size_t here = std::min(block, end - i);
      widenResult.widen(result.bytes.data(), i, {a.data(), here});
      widenGolden.widen(golden.bytes.data(), i, {b.data(), here});
      for (size_t j = 0; j < here; ++j)
        extremes.add(a[j], b[j]);
    }
    ranges[number] = extremes;
  };
  DefaultThreadPool pool;
  for (size_t number = 1; number < ranges.size(); ++number)
    pool.async(measure, number);
  if (count)
    measure(0);
  pool.wait();
  Extremes all;
  for (const Extremes &extremes : ranges)
    all.add(extremes);
  return all.magnitude == 0 ? all.difference : all.difference / all.magnitude;
}

Expected<std::vector<Comparison>>
stof::runtime::compareResults(ArrayRef<HostTensor> results,
                              ArrayRef<HostTensor> golden,
                              std::optional<double> tolerance) {
  for (const HostTensor &tensor : golden)
    if (StringRef(tensor.name).starts_with("result") &&
        none_of(results, [&](const HostTensor &result) {
          return result.name == tensor.name;
        }))
      return createStringError("expects golden tensors of the function's "
                               "results alone, but got '" +
                               Twine(tensor.name) + "'");
  std::vector<Comparison> comparisons;
  for (const HostTensor &result : results) {
    const HostTensor *expected = find_if(
        golden, [&](const HostTensor &t) { return t.name == result.name; });
    if (expected == golden.end())
      return createStringError("expects a golden " + Twine(result.name) +
                               " of " + result.format() +
                               ", but it is missing");
    if (expected->shape != result.shape)
      return createStringError("expects a golden " + Twine(result.name) +
                               " of shape " + formatShape(result.shape) +
                               ", but got " + formatShape(expected->shape));
    comparisons.push_back(
        {result.name, measureError(result, *expected),
         tolerance.value_or(getDefaultTolerance(result.dtype))});
  }
  return comparisons;
}

//===----------------------------------------------------------------------===//
// Comparison of results in f64, for all dtypes.
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
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

static double measureError(const HostTensor &result, const HostTensor &golden) {
  double difference = 0, magnitude = 0;
  for (int64_t i = 0, e = result.countElements(); i < e; ++i) {
    double a = readElement(result.dtype, result.bytes.data(), i);
    double b = readElement(golden.dtype, golden.bytes.data(), i);
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      if (std::isfinite(b))
        magnitude = std::max(magnitude, std::fabs(b));
      continue;
    }
    if (!std::isfinite(a) || !std::isfinite(b))
      return INFINITY;
    difference = std::max(difference, std::fabs(a - b));
    magnitude = std::max(magnitude, std::fabs(b));
  }
  return magnitude == 0 ? difference : difference / magnitude;
}

Expected<std::vector<Comparison>>
stof::runtime::compareResults(ArrayRef<HostTensor> results,
                              const SafetensorsFile &golden,
                              std::optional<double> tolerance) {
  for (const HostTensor &tensor : golden.getTensors())
    if (StringRef(tensor.name).starts_with("result") &&
        none_of(results, [&](const HostTensor &result) {
          return result.name == tensor.name;
        }))
      return createStringError("expects golden tensors of the function's "
                               "results alone, but got '" +
                               Twine(tensor.name) + "'");
  std::vector<Comparison> comparisons;
  for (const HostTensor &result : results) {
    const HostTensor *expected = golden.find(result.name);
    if (!expected)
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

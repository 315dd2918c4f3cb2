//===----------------------------------------------------------------------===//
// Matching of results and golden tensors by name.
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "Difference.h"
#include "FiniteElements.h"

#include "llvm/ADT/STLExtras.h"

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

double stof::runtime::getError(double difference, double magnitude) {
  return magnitude == 0 ? difference : difference / magnitude;
}

static double measureError(const HostTensor &result, const HostTensor &golden,
                           ThreadPoolInterface &pool) {
  return getError(findLargestDifference(result, golden, pool),
                  findFiniteElements(golden, pool).magnitude);
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
  DefaultThreadPool pool;
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
        {result.name, measureError(result, *expected, pool),
         tolerance.value_or(getDefaultTolerance(result.dtype))});
  }
  return comparisons;
}

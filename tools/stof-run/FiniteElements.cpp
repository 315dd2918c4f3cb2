//===----------------------------------------------------------------------===//
// A pass over elements in f64, for all dtypes.
//===----------------------------------------------------------------------===//

#include "FiniteElements.h"

#include "ParallelRanges.h"
#include "Widener.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;
using namespace stof::runtime;

FiniteElements stof::runtime::findFiniteElements(const HostTensor &tensor,
                                                 ThreadPoolInterface &pool) {
  // Converted in blocks that stay in the cache.
  constexpr int64_t block = 1024;
  Widener widener(tensor.dtype);
  int64_t count = tensor.countElements();
  std::vector<FiniteElements> found(countRanges(count));
  forRanges(count, pool, [&](size_t range, int64_t begin, int64_t end) {
    std::array<double, block> elements;
    FiniteElements here;
    for (int64_t i = begin; i < end; i += block) {
      size_t size = std::min(block, end - i);
      widener.widen(tensor.bytes.data(), i, {elements.data(), size});
      for (size_t j = 0; j < size; ++j) {
        if (!std::isfinite(elements[j]))
          continue;
        ++here.count;
        here.magnitude = std::max(here.magnitude, std::fabs(elements[j]));
      }
    }
    found[range] = here;
  });
  FiniteElements all;
  for (const FiniteElements &part : found) {
    all.count += part.count;
    all.magnitude = std::max(all.magnitude, part.magnitude);
  }
  return all;
}

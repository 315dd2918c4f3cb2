//===----------------------------------------------------------------------===//
// Counting of finite elements, for all dtypes.
//===----------------------------------------------------------------------===//

#include "CountFinite.h"

#include "Widener.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace stof::runtime;

int64_t stof::runtime::countFinite(const HostTensor &tensor) {
  // Converted in blocks that stay in the cache.
  constexpr int64_t block = 1024;
  std::array<double, block> elements;
  Widener widener(tensor.dtype);
  int64_t count = tensor.countElements(), finite = 0;
  for (int64_t i = 0; i < count; i += block) {
    int64_t here = std::min(block, count - i);
    widener.widen(tensor.bytes.data(), i,
                  {elements.data(), static_cast<size_t>(here)});
    finite +=
        std::count_if(elements.begin(), elements.begin() + here,
                      [](double element) { return std::isfinite(element); });
  }
  return finite;
}

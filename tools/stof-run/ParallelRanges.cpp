//===----------------------------------------------------------------------===//
// The calling thread takes the first range.
//===----------------------------------------------------------------------===//

#include "ParallelRanges.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace stof::runtime;

static constexpr int64_t rangeSize = 1 << 20;

size_t stof::runtime::countRanges(int64_t count) {
  return divideCeil(count, rangeSize);
}

void stof::runtime::forRanges(
    int64_t count, ThreadPoolInterface &pool,
    function_ref<void(size_t, int64_t, int64_t)> body) {
  auto run = [&](size_t range) {
    int64_t begin = range * rangeSize;
    body(range, begin, std::min(count, begin + rangeSize));
  };
  ThreadPoolTaskGroup group(pool);
  for (size_t range = 1; range < countRanges(count); ++range)
    group.async(run, range);
  if (count)
    run(0);
  group.wait();
}

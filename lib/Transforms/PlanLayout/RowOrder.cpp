//===----------------------------------------------------------------------===//
// The order in which row tiles are computed: long ones early, since the kernel
// lasts until the last one ends.
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof;

/// Row tiles that are looked at.
static constexpr int64_t maxSamples = 512;
/// A row tile of more key tiles than this many times the median is long.
static constexpr int64_t longRow = 3;

ScheduleAttr stof::orderRows(MLIRContext *context, const RowLengths &rows) {
  if (!rows.at || rows.count < 2)
    return {};
  int64_t samples = std::min(rows.count, maxSamples);
  SmallVector<int64_t> lengths;
  for (int64_t sample = 0; sample < samples; ++sample)
    lengths.push_back(rows.at(sample * rows.count / samples));
  int64_t half = samples / 2;
  auto sum = [](ArrayRef<int64_t> part) {
    return std::accumulate(part.begin(), part.end(), int64_t(0));
  };
  int64_t early = sum(ArrayRef(lengths).take_front(half)),
          late = sum(ArrayRef(lengths).take_back(half));
  // A tenth more is not worth another order.
  bool reversed = late > early + early / 10;
  llvm::sort(lengths);
  int64_t median = std::max<int64_t>(lengths[samples / 2], 1);
  int64_t ahead = 0;
  auto isLong = [&](int64_t number) {
    return rows.at(reversed ? rows.count - 1 - number : number) >
           longRow * median;
  };
  while (ahead < rows.count / 2 && isLong(ahead))
    ++ahead;
  if (!reversed && !ahead)
    return {};
  return ScheduleAttr::get(context, reversed, ahead);
}

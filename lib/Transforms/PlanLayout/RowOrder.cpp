//===----------------------------------------------------------------------===//
// The order in which row tiles are computed: long ones early, since the kernel
// lasts until the last one ends, and in parts where blocks would be idle
// meanwhile.
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

#include <numeric>

using namespace mlir;
using namespace stof;

/// Row tiles that are looked at.
static constexpr int64_t maxSamples = 512;
/// A row tile of more key tiles than this many times the median is long.
static constexpr int64_t longRow = 3;
/// Blocks that a GPU computes at a time: two on each of its multiprocessors, of
/// which it has about 128.
static constexpr int64_t blocksAtATime = 256;
/// Key tiles of a part, at least: what it leaves to be merged is as many bytes
/// as the keys and values of two. On an H200, 8 of 2 to 32 parts were the
/// fastest for rows of 64 key tiles, 4 of 1, 2 and 4 for rows of 16.
static int64_t getLeastPart(int64_t keyTiles) {
  return std::clamp<int64_t>(keyTiles / 8, 4, 8);
}
/// Key tiles that are taken to last as long as a second kernel and its launch.
static constexpr int64_t mergeCost = 6;
static constexpr int64_t maxParts = 32;

namespace {
/// The number of key tiles of row tiles in the order of their computation.
class OrderedRows {
public:
  explicit OrderedRows(const RowLengths &rows) : rows(rows) {
    int64_t samples = std::min(rows.count, maxSamples);
    for (int64_t sample = 0; sample < samples; ++sample)
      lengths.push_back(rows.at(sample * rows.count / samples));
    int64_t half = samples / 2;
    int64_t early = sum(ArrayRef(lengths).take_front(half)),
            late = sum(ArrayRef(lengths).take_back(half));
    // A tenth more is not worth another order.
    reversed = late > early + early / 10;
    llvm::sort(lengths);
  }

  bool isReversed() const { return reversed; }
  int64_t getMedian() const {
    return std::max<int64_t>(lengths[lengths.size() / 2], 1);
  }
  int64_t getLongest() const { return lengths.back(); }
  int64_t getTotal() const {
    return llvm::divideCeil(sum(lengths) * rows.count, lengths.size());
  }

  /// The number of row tiles, at most `limit`, that are longer than `length`
  /// and that no shorter one precedes.
  int64_t countLonger(int64_t length, int64_t limit) const {
    int64_t number = 0;
    while (number < limit &&
           rows.at(reversed ? rows.count - 1 - number : number) > length)
      ++number;
    return number;
  }

private:
  static int64_t sum(ArrayRef<int64_t> part) {
    return std::accumulate(part.begin(), part.end(), int64_t(0));
  }

  const RowLengths &rows;
  SmallVector<int64_t> lengths;
  bool reversed = false;
};
} // namespace

/// The number of heads of all batches, if it is known.
static std::optional<int64_t> countHeads(AttentionOp op) {
  ShapedType type = op.getQueryType();
  if (type.isDynamicDim(AttentionOp::batch) ||
      type.isDynamicDim(AttentionOp::head))
    return std::nullopt;
  return type.getDimSize(AttentionOp::batch) *
         type.getDimSize(AttentionOp::head);
}

/// All row tiles in parts, if there are few of them and it is not known how
/// many key tiles they visit.
static ScheduleAttr cutFewRows(AttentionOp op, TileShape shape) {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  std::optional<int64_t> heads = countHeads(op);
  if (!heads || ShapedType::isDynamic(queries))
    return {};
  int64_t rows = llvm::divideCeil(queries, shape.queries);
  int64_t parts = std::min(blocksAtATime / (*heads * rows), maxParts);
  if (!ShapedType::isDynamic(keys)) {
    int64_t tiles = llvm::divideCeil(keys, shape.keys);
    parts = std::min(parts, tiles / getLeastPart(tiles));
  }
  // Fewer may not be worth the merging.
  if (parts < 4)
    return {};
  return ScheduleAttr::get(op.getContext(), /*reversed=*/false, rows, parts);
}

ScheduleAttr stof::orderRows(AttentionOp op, TileShape shape,
                             const RowLengths &lengths) {
  if (!lengths.at || lengths.areBounds)
    if (ScheduleAttr parts = cutFewRows(op, shape))
      return parts;
  if (!lengths.at || lengths.count == 0)
    return {};
  OrderedRows rows(lengths);
  auto schedule = [&](int64_t ahead, int64_t parts) {
    return ScheduleAttr::get(op.getContext(), rows.isReversed(), ahead, parts);
  };
  std::optional<int64_t> heads = countHeads(op);
  if (heads && !lengths.areBounds &&
      !op.getQueryType().isDynamicDim(AttentionOp::position)) {
    // What every block would do if all did the same.
    int64_t longest = rows.getLongest();
    int64_t fair = std::max<int64_t>(
        llvm::divideCeil(rows.getTotal() * *heads, blocksAtATime),
        getLeastPart(longest));
    int64_t ahead = 0;
    if (longest > fair + mergeCost)
      ahead = rows.countLonger(fair + mergeCost, lengths.count);
    if (ahead)
      return schedule(
          ahead, std::min<int64_t>(llvm::divideCeil(longest, fair), maxParts));
  }
  int64_t ahead =
      rows.countLonger(longRow * rows.getMedian(), lengths.count / 2);
  if (!rows.isReversed() && !ahead)
    return {};
  return schedule(ahead, /*parts=*/1);
}

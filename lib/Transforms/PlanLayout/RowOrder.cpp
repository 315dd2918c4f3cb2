//===----------------------------------------------------------------------===//
// The order of row tiles: long ones start first, since the last one to finish
// determines the time of the kernel, and use split-KV if CTAs would be idle
// otherwise.
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace stof;

/// The most row tiles that are sampled.
static constexpr int64_t maxSamples = 512;
/// Row tiles of more key tiles than this many times the median are long.
static constexpr int64_t longRow = 3;
/// CTAs of a wave: two on each of about 128 SMs.
static constexpr int64_t ctasPerWave = 256;
/// The least number of key tiles of a split of one of `keyTiles`, which have
/// two to four times as many bytes as its partial results, written and read in
/// f32. On an H200, tiles of 64 x 64 were the fastest with splits of 4 key
/// tiles of 16, and of 8 of 64; tiles of 16 x 64 with 2 of 32, and of 4 of 128.
static int64_t getMinSplitTiles(TileShape shape, int64_t keyTiles) {
  int64_t least = std::max<int64_t>(4 * shape.queries / shape.keys, 1);
  return std::clamp<int64_t>(keyTiles / 8, least, 2 * least);
}
/// The estimated cost of the combine kernel and its launch, in key tiles.
static constexpr int64_t combineCost = 6;
static constexpr int64_t maxSplits = 128;

namespace {
/// The numbers of key tiles of sampled row tiles, and the order of these.
class OrderedRows {
public:
  explicit OrderedRows(const RowLengths &rows) : rows(rows) {
    int64_t samples = std::min(rows.count, maxSamples);
    for (int64_t sample = 0; sample < samples; ++sample)
      lengths.push_back(rows.at(sample * rows.count / samples));
    int64_t half = samples / 2;
    int64_t early = sum(ArrayRef(lengths).take_front(half)),
            late = sum(ArrayRef(lengths).take_back(half));
    // Differences of up to a tenth do not justify another order.
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

  /// The number of leading row tiles, at most `limit`, that are longer than
  /// `length`.
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

/// The number of heads of all batches, if it is static.
static std::optional<int64_t> countHeads(AttentionOp op) {
  ShapedType type = op.getQueryType();
  if (type.isDynamicDim(AttentionOp::Batch) ||
      type.isDynamicDim(AttentionOp::Head))
    return std::nullopt;
  return type.getDimSize(AttentionOp::Batch) *
         type.getDimSize(AttentionOp::Head);
}

/// Split-KV for all row tiles, if there are few and the numbers of their key
/// tiles are unknown.
static ScheduleAttr splitFewRows(AttentionOp op, TileShape shape) {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::Position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::Position);
  std::optional<int64_t> heads = countHeads(op);
  if (!heads || ShapedType::isDynamic(queries))
    return {};
  int64_t rows = llvm::divideCeil(queries, shape.queries);
  int64_t splits = std::min(ctasPerWave / (*heads * rows), maxSplits);
  if (!ShapedType::isDynamic(keys)) {
    int64_t tiles = llvm::divideCeil(keys, shape.keys);
    splits = std::min(splits, tiles / getMinSplitTiles(shape, tiles));
  }
  if (splits < 2)
    return {};
  return ScheduleAttr::get(op.getContext(), /*reversed=*/false, rows, splits);
}

ScheduleAttr stof::orderRows(AttentionOp op, TileShape shape,
                             const RowLengths &lengths) {
  if (!lengths.at || lengths.areBounds)
    if (ScheduleAttr split = splitFewRows(op, shape))
      return split;
  if (!lengths.at || lengths.count == 0)
    return {};
  OrderedRows rows(lengths);
  auto schedule = [&](int64_t ahead, int64_t splits) {
    return ScheduleAttr::get(op.getContext(), rows.isReversed(), ahead, splits);
  };
  std::optional<int64_t> heads = countHeads(op);
  if (heads && !lengths.areBounds &&
      !op.getQueryType().isDynamicDim(AttentionOp::Position)) {
    // The number of key tiles per CTA for a balanced load.
    int64_t longest = rows.getLongest();
    int64_t fair = std::max<int64_t>(
        llvm::divideCeil(rows.getTotal() * *heads, ctasPerWave),
        getMinSplitTiles(shape, longest));
    int64_t ahead = 0;
    if (longest > fair + combineCost)
      ahead = rows.countLonger(fair + combineCost, lengths.count);
    if (ahead)
      return schedule(
          ahead, std::min<int64_t>(llvm::divideCeil(longest, fair), maxSplits));
  }
  int64_t ahead =
      rows.countLonger(longRow * rows.getMedian(), lengths.count / 2);
  if (!rows.isReversed() && !ahead)
    return {};
  return schedule(ahead, /*splits=*/1);
}

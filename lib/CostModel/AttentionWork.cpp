//===----------------------------------------------------------------------===//
// Work of attention kernels.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/AttentionWork.h"

#include "stof/CostModel/Counts.h"
#include "stof/Support/ElementBytes.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace stof;

int64_t stof::countMasks(AttentionOp op) {
  if (!op.getLayout() || op.getLayout()->getStorage() != LayoutStorage::Tables)
    return 1;
  auto ranges = cast<ShapedType>(op.getLayoutOperands().front().getType());
  return ranges.getDimSize(0) * ranges.getDimSize(1);
}

namespace {

/// Numbers of batches and positions, which may be dynamic.
struct AttentionSizes {
  int64_t batches, queries, keys;
};

} // namespace

static AttentionSizes getSizes(AttentionOp op) {
  return {op.getQueryType().getDimSize(AttentionOp::Batch),
          op.getQueryType().getDimSize(AttentionOp::Position),
          op.getKeyType().getDimSize(AttentionOp::Position)};
}

/// The least estimate of dynamic batches: what the last round of CTAs leaves
/// idle, which no estimate can tell, is little of them.
static constexpr int64_t fewestBatches = 8;

/// The sizes of `op`, with dynamic ones such that the rows of all batches are
/// at least as many as those of a contraction of dynamic size; nothing if heads
/// or features are dynamic.
static std::optional<AttentionSizes> estimateSizes(AttentionOp op) {
  for (ShapedType type :
       {op.getQueryType(), op.getKeyType(), op.getValueType()})
    if (type.isDynamicDim(AttentionOp::Head) ||
        type.isDynamicDim(AttentionOp::Feature))
      return std::nullopt;
  AttentionSizes sizes = getSizes(op);
  for (int64_t *length : {&sizes.queries, &sizes.keys})
    if (ShapedType::isDynamic(*length))
      *length = middleSize;
  if (ShapedType::isDynamic(sizes.batches))
    sizes.batches = std::max(fewestBatches, middleSize / sizes.queries);
  return sizes;
}

/// The census of the layout of `op`; without a mask, that of `tile` for
/// `sizes`.
static AttentionCensus takeCensusOf(AttentionOp op, const AttentionTile &tile,
                                    const AttentionSizes &sizes) {
  AttentionCensus census;
  if (op.getLayout()) {
    DictionaryAttr known = op.getLayout()->getCensus();
    auto read = [&](StringRef name, int64_t &count) {
      if (auto value = known ? known.getAs<IntegerAttr>(name) : IntegerAttr())
        count = value.getInt();
    };
    read("full", census.full);
    read("partial", census.partial);
    read("empty", census.empty);
    read("nonzeros", census.nonzeros);
    read("longest", census.longest);
    return census;
  }
  if (op.getMask() || ShapedType::isDynamic(sizes.queries) ||
      ShapedType::isDynamic(sizes.keys))
    return census;
  census.full = llvm::divideCeil(sizes.queries, tile.queries) *
                llvm::divideCeil(sizes.keys, tile.keys);
  census.partial = census.empty = 0;
  census.nonzeros = sizes.queries * sizes.keys;
  census.longest = llvm::divideCeil(sizes.keys, tile.keys);
  return census;
}

AttentionCensus stof::takeCensus(AttentionOp op, const AttentionTile &tile) {
  return takeCensusOf(op, tile, getSizes(op));
}

/// Whether the key tiles of `op` are those of a list.
static bool readsLists(AttentionOp op) {
  return op.getLayout() &&
         op.getLayout()->getStorage() != LayoutStorage::ClosedForm &&
         op.getLayout()->getStorage() != LayoutStorage::PageTable;
}

namespace {
/// The row tiles of an attention: how many there are, and their key tiles.
struct RowTiles {
  int64_t count;
  /// Of a row tile without a mask.
  int64_t keyTiles;
  /// Of a CTA.
  double average;
  /// Of any row tile, if it is known.
  std::optional<int64_t> longest;

  double getMost() const { return longest.value_or(keyTiles); }
};
} // namespace

/// An estimate of the most key tiles of a CTA. If the longest row tile is
/// unknown, the order of row tiles (PlanLayout/RowOrder) tells what their
/// lengths are like.
static double estimateMost(AttentionOp op, const AttentionTile &tile,
                           const RowTiles &rows) {
  ScheduleAttr order = op.getSchedule().value_or(ScheduleAttr());
  bool isReversed = order && order.getReversed();
  double most = rows.getMost();
  if (order && order.getSplits() > 1) {
    // The lengths of a reversed order grow evenly; those ahead are split.
    double unsplit =
        isReversed ? most * (rows.count - order.getAhead()) / rows.count : 0;
    return std::max(most / order.getSplits(), unsplit);
  }
  // A CTA takes a long one and a short one in turn: together, they differ
  // little.
  if (takesPairs(op, tile) && !readsLists(op))
    return rows.average;
  if (rows.longest || (order && order.getAhead() > 0))
    return most;
  // Rows of more than three times the median would be ahead.
  if (readsLists(op))
    return 3 * rows.average;
  return isReversed ? 2 * rows.average : rows.average;
}

/// `estimateMost` between the average and the longest possible row tile.
static int64_t estimateLongest(AttentionOp op, const AttentionTile &tile,
                               const RowTiles &rows) {
  double estimate = std::min(estimateMost(op, tile, rows), rows.getMost());
  return static_cast<int64_t>(std::ceil(std::max(estimate, rows.average)));
}

/// The work of an attention kernel. Without a census all tiles count as
/// partial, and the work is an upper bound.
static KernelWork workOfAttention(AttentionOp op, const AttentionTile &tile,
                                  const AttentionSizes &sizes,
                                  const TargetInfo *target) {
  ShapedType query = op.getQueryType(), key = op.getKeyType();
  auto [batches, queries, keys] = sizes;
  AttentionCensus census = takeCensusOf(op, tile, sizes);
  bool isPaged = op.getLayout() &&
                 op.getLayout()->getStorage() == LayoutStorage::PageTable;
  // As if each page were that of one sequence, and all of them as long.
  if (isPaged && op.sharesKeys())
    keys = llvm::divideCeil(keys, batches);
  int64_t rowTiles = llvm::divideCeil(queries, tile.queries);
  int64_t masks = countMasks(op);
  int64_t keyTiles = llvm::divideCeil(keys, tile.keys);
  bool isCounted = census.full >= 0 && census.partial >= 0;
  if (isPaged) {
    census.full = masks * rowTiles * keyTiles;
    census.partial = 0;
  } else if (!isCounted) {
    census.full = 0;
    census.partial = masks * rowTiles * keyTiles;
  }
  std::optional<int64_t> longest;
  if (census.longest >= 0)
    longest = census.longest;
  int64_t heads = query.getDimSize(AttentionOp::Head) * tile.valueSlices;
  int64_t all = batches * heads;
  int64_t extraSplits = 0;
  if (std::optional<ScheduleAttr> schedule = op.getSchedule())
    extraSplits = std::min<int64_t>(schedule->getAhead(), rowTiles) *
                  (schedule->getSplits() - 1);
  int64_t ctas = std::max<int64_t>(1, masks * (rowTiles + extraSplits));
  double average = static_cast<double>(census.full + census.partial) / ctas;
  KernelWork work = workOf(AttentionCounts{
      .batches = batches,
      .heads = heads,
      .keyHeads = key.getDimSize(AttentionOp::Head),
      .queries = queries,
      .keys = keys,
      .features = tile.features * tile.headDimSlices,
      .valueFeatures = tile.valueFeatures,
      .elementBytes = getElementBytes(query),
      .rowTile = tile.queries,
      .colTile = tile.keys,
      .warps = tile.warps,
      .holdsQueries = tile.holdsQueries,
      .usesWarpgroups = usesWarpgroups(op, tile, target),
      .producers = tile.producers,
      .overlaps = tile.overlaps,
      .resident = tile.resident,
      .claims = tile.dynamic,
      .fullTiles = census.full * all / masks,
      .partialTiles = census.partial * all / masks,
      .longestKeyTiles =
          estimateLongest(op, tile, {rowTiles, keyTiles, average, longest}),
      .moreCtas = extraSplits * all,
      .headDimSlices = tile.headDimSlices,
      .maskRegisters = countMaskRegisters(op),
      .readsLists = readsLists(op)});
  work.isUpperBound = !isCounted && !isPaged;
  return work;
}

std::optional<KernelWork> stof::countWork(AttentionOp op,
                                          const TargetInfo *target) {
  std::optional<AttentionSizes> sizes = estimateSizes(op);
  if (!sizes)
    return std::nullopt;
  return workOfAttention(op, getKernelTile(op, target), *sizes, target);
}

std::optional<KernelWork> stof::countResetWork(AttentionOp op) {
  if (!usesCounter(op))
    return std::nullopt;
  return workOfElements(/*elements=*/1, /*opsPerElement=*/1,
                        /*elementsPerCta=*/1, sizeof(int32_t));
}

std::optional<KernelWork> stof::countCombineWork(AttentionOp op,
                                                 const TargetInfo *target) {
  std::optional<ScheduleAttr> schedule = op.getSchedule();
  std::optional<AttentionSizes> sizes = estimateSizes(op);
  if (!schedule || schedule->getSplits() == 1 || !sizes)
    return std::nullopt;
  AttentionTile tile = getCombineTile(op, target);
  int64_t queries = sizes->queries;
  int64_t ahead = std::min<int64_t>(schedule->getAhead(),
                                    llvm::divideCeil(queries, tile.queries));
  int64_t elements = sizes->batches *
                     op.getQueryType().getDimSize(AttentionOp::Head) * ahead *
                     schedule->getSplits() * std::min(queries, tile.queries) *
                     op.getValueType().getDimSize(AttentionOp::Feature);
  return workOfElements(
      elements, 2, tile.queries * tile.valueFeatures * schedule->getSplits(),
      elements * static_cast<int64_t>(sizeof(float)));
}

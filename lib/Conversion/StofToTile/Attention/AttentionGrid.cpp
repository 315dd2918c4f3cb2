//===----------------------------------------------------------------------===//
// The assignment of row tiles, heads and slices of V to CTAs.
//===----------------------------------------------------------------------===//

#include "AttentionGrid.h"
#include "stof/Support/ElementBytes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;

AttentionGrid::AttentionGrid(const AttentionContext &context)
    : context(context), body(context.kernel.body()), loc(context.loc),
      numQueries(
          context.getSize(context.getOp().getQuery(), AttentionOp::Position)) {}

Value AttentionGrid::countRowTiles() {
  if (context.getRowStride() > 1)
    return body.createOrFold<affine::AffineMinOp>(
        loc, context.getOp().getLayout()->getRowTiles(),
        ValueRange{numQueries});
  return body.createOrFold<arith::CeilDivUIOp>(
      loc, numQueries, context.kernel.index(context.tile.queries));
}

OpFoldResult AttentionGrid::countHeads() const {
  OpBuilder &host = context.kernel.host();
  OpFoldResult heads =
      context.getHostSize(context.getOp().getQuery(), AttentionOp::Head);
  return productOf(host, loc,
                   {heads, host.getIndexAttr(context.tile.valueSlices)});
}

bool AttentionGrid::isFlat() const {
  return context.getNumAhead() > 0 || context.tile.resident > 0;
}

/// Whether the row tiles of `op` are in reverse order, since their lengths
/// grow.
static bool isReversed(AttentionOp op) {
  return op.getSchedule() && op.getSchedule()->getReversed();
}

void AttentionGrid::reverseRowTile(CtaTile &tile) {
  if (!isReversed(context.getOp()))
    return;
  Value one = context.kernel.index(1);
  Value last = body.createOrFold<arith::SubIOp>(loc, countRowTiles(), one);
  if (!takesPairs(context.getOp(), context.tile)) {
    tile.row.number =
        body.createOrFold<arith::SubIOp>(loc, last, tile.row.number);
    return;
  }
  // The longest one, the shortest one, the longest one of the rest, ...
  Value half = arith::ShRUIOp::create(body, loc, tile.row.number, one);
  Value bit = arith::AndIOp::create(body, loc, tile.row.number, one);
  Value isShort =
      arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq, bit, one);
  Value longer = arith::SubIOp::create(body, loc, last, half);
  tile.row.number = arith::SelectOp::create(body, loc, isShort, half, longer);
}

void AttentionGrid::bindHead(CtaTile &tile, Value number) {
  tile.row.head = number;
  tile.firstFeature = context.kernel.index(0);
  if (context.tile.valueSlices == 1)
    return;
  Value slices = context.kernel.index(context.tile.valueSlices);
  Value slice = body.createOrFold<arith::RemUIOp>(loc, number, slices);
  tile.row.head = body.createOrFold<arith::DivUIOp>(loc, number, slices);
  tile.firstFeature = body.createOrFold<arith::MulIOp>(
      loc, slice, context.kernel.index(context.tile.valueFeatures));
}

CtaTile AttentionGrid::bind() {
  KernelBuilder &kernel = context.kernel;
  Value x = kernel.getBlockId(gpu::Dimension::x);
  if (context.tile.dynamic && context.getNumAhead() == 0 &&
      isReversed(context.getOp()))
    return bindClaimed(x);
  if (isFlat())
    return bindAhead(x);
  CtaTile tile;
  tile.row.number = x;
  bindHead(tile, kernel.getBlockId(gpu::Dimension::y));
  tile.row.batch = kernel.getBlockId(gpu::Dimension::z);
  reverseRowTile(tile);
  return tile;
}

CtaTile AttentionGrid::bindCombine() {
  KernelBuilder &kernel = context.kernel;
  CtaTile tile;
  tile.row.number = tile.numberAhead = kernel.getBlockId(gpu::Dimension::x);
  bindHead(tile, kernel.getBlockId(gpu::Dimension::y));
  tile.row.batch = kernel.getBlockId(gpu::Dimension::z);
  reverseRowTile(tile);
  return tile;
}

CtaTile AttentionGrid::bindAhead(Value cta) {
  auto sub = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::SubIOp>(loc, lhs, rhs);
  };
  auto mul = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  };
  auto div = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
  };
  auto rem = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
  };
  KernelBuilder &kernel = context.kernel;
  Value query = context.getOp().getQuery();
  Value one = kernel.index(1), rowTiles = countRowTiles();
  Value heads = mul(context.getSize(query, AttentionOp::Head),
                    kernel.index(context.tile.valueSlices));
  Value all = mul(heads, context.getSize(query, AttentionOp::Batch));
  Value splits = kernel.index(context.getNumSplits());
  Value unit = div(cta, splits), number = rem(unit, all);
  CtaTile tile;
  tile.numberAhead = tile.row.number = div(unit, all);
  if (context.getNumSplits() > 1)
    tile.split = SplitRange{rem(cta, splits), context.getNumSplits()};
  std::optional<int64_t> known = getConstantIntValue(rowTiles);
  if (!known || *known > context.getNumAhead()) {
    Value ahead = body.createOrFold<arith::MinUIOp>(
        loc, rowTiles, kernel.index(context.getNumAhead()));
    Value rest =
        body.createOrFold<arith::MaxUIOp>(loc, sub(rowTiles, ahead), one);
    Value early = mul(mul(ahead, all), splits), late = sub(cta, early);
    Value isEarly =
        arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult, cta, early);
    Value lateTile = arith::AddIOp::create(body, loc, ahead, rem(late, rest));
    tile.row.number =
        arith::SelectOp::create(body, loc, isEarly, tile.numberAhead, lateTile);
    number =
        arith::SelectOp::create(body, loc, isEarly, number, div(late, rest));
    if (tile.split)
      tile.split->applies = isEarly;
  }
  bindHead(tile, rem(number, heads));
  tile.row.batch = div(number, heads);
  reverseRowTile(tile);
  return tile;
}

/// The number of heads of a section, slices of V included, whose keys and
/// values fit in most of the L2 of a GPU; of `all` heads, if known, an even
/// part.
static int64_t countSectionHeads(AttentionOp op, const AttentionTile &tile,
                                 std::optional<int64_t> all) {
  // A long sequence is assumed where lengths are dynamic.
  constexpr int64_t cachedBytes = 32 << 20, longKeys = 8192;
  ShapedType query = op.getQueryType(), key = op.getKeyType();
  int64_t keys = key.getDimSize(AttentionOp::Position);
  if (ShapedType::isDynamic(keys))
    keys = longKeys;
  int64_t sharing = 1;
  if (!query.isDynamicDim(AttentionOp::Head) &&
      !key.isDynamicDim(AttentionOp::Head))
    sharing =
        query.getDimSize(AttentionOp::Head) / key.getDimSize(AttentionOp::Head);
  int64_t bytes = keys * getElementBytes(query) *
                  (tile.features * tile.headDimSlices + tile.valueFeatures);
  int64_t most =
      std::max<int64_t>(1, cachedBytes / std::max<int64_t>(bytes, 1) * sharing);
  if (!all)
    return most;
  int64_t heads = std::clamp<int64_t>(most, 1, std::max<int64_t>(*all, 1));
  return llvm::divideCeil(*all, llvm::divideCeil(*all, heads));
}

CtaTile AttentionGrid::bindClaimed(Value cta) {
  Value query = context.getOp().getQuery(), rowTiles = countRowTiles();
  Value heads = body.createOrFold<arith::MulIOp>(
      loc, context.getSize(query, AttentionOp::Head),
      context.kernel.index(context.tile.valueSlices));
  Value all = body.createOrFold<arith::MulIOp>(
      loc, heads, context.getSize(query, AttentionOp::Batch));
  std::optional<int64_t> known = getConstantIntValue(all);
  int64_t most = countSectionHeads(context.getOp(), context.tile, known);
  Value width = context.kernel.index(most);
  Value tiles = body.createOrFold<arith::MulIOp>(loc, rowTiles, width);
  Value section = body.createOrFold<arith::DivUIOp>(loc, cta, tiles);
  Value inSection = body.createOrFold<arith::RemUIOp>(loc, cta, tiles);
  Value first = body.createOrFold<arith::MulIOp>(loc, section, width);
  // The last section has the heads that are left.
  if (!known || *known % most != 0) {
    Value left = arith::SubIOp::create(body, loc, all, first);
    width = arith::MinUIOp::create(body, loc, left, width);
  }
  CtaTile tile;
  tile.row.number = body.createOrFold<arith::DivUIOp>(loc, inSection, width);
  Value number = body.createOrFold<arith::AddIOp>(
      loc, first, body.createOrFold<arith::RemUIOp>(loc, inSection, width));
  bindHead(tile, body.createOrFold<arith::RemUIOp>(loc, number, heads));
  tile.row.batch = body.createOrFold<arith::DivUIOp>(loc, number, heads);
  reverseRowTile(tile);
  return tile;
}

/// The number of row tiles of a head, on the host.
static OpFoldResult countRowTilesOnHost(OpBuilder &host, AttentionOp op) {
  Location loc = op.getLoc();
  OpFoldResult queries =
      sizeOf(host, loc, op.getQuery(), AttentionOp::Position);
  std::optional<LayoutAttr> layout = op.getLayout();
  if (layout && layout->getRowStride() > 1)
    return affine::makeComposedFoldedAffineMin(host, loc, layout->getRowTiles(),
                                               {queries});
  return ceilDiv(host, loc, queries,
                 getKernelTile(op, /*target=*/nullptr).queries);
}

OpFoldResult stof::countTilesAhead(OpBuilder &host, AttentionOp op) {
  MLIRContext *context = host.getContext();
  AffineExpr ahead =
      getAffineConstantExpr(op.getSchedule()->getAhead(), context);
  return affine::makeComposedFoldedAffineMin(
      host, op.getLoc(),
      AffineMap::get(0, 1, {getAffineSymbolExpr(0, context), ahead}, context),
      {countRowTilesOnHost(host, op)});
}

SmallVector<OpFoldResult> AttentionGrid::getSizes() const {
  OpBuilder &host = context.kernel.host();
  AttentionOp op = context.getOp();
  OpFoldResult rowTiles = countRowTilesOnHost(host, op);
  OpFoldResult heads = countHeads();
  OpFoldResult batches = context.getHostSize(op.getQuery(), AttentionOp::Batch);
  if (!isFlat())
    return {rowTiles, heads, batches};
  // Row tiles ahead count once per split.
  OpFoldResult scheduled = rowTiles;
  if (int64_t more = context.getNumSplits() - 1) {
    AffineExpr tiles = getAffineSymbolExpr(0, host.getContext());
    AffineExpr ahead = getAffineSymbolExpr(1, host.getContext());
    scheduled = affine::makeComposedFoldedAffineApply(
        host, loc, tiles + ahead * more, {rowTiles, countTilesAhead(host, op)});
  }
  OpFoldResult one = host.getIndexAttr(1);
  return {productOf(host, loc, {scheduled, heads, batches}), one, one};
}

SmallVector<OpFoldResult> AttentionGrid::getCombineSizes() const {
  OpFoldResult ahead = countTilesAhead(context.kernel.host(), context.getOp());
  OpFoldResult heads = countHeads();
  return {ahead, heads,
          context.getHostSize(context.getOp().getQuery(), AttentionOp::Batch)};
}

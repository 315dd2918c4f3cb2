//===----------------------------------------------------------------------===//
// Which row tile of which head a thread block of the attention kernel computes.
//
// The grid is row tiles x heads x batches, or one line if some row tiles are
// ahead of the rest: row tile after row tile of those, each for all heads, part
// after part, then the rest, head after head. With a row stride the number of a
// row tile says both the residue of its queries and which of them they are.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace stof;

Value AttentionEmitter::countRowTiles() {
  if (rowStride() > 1)
    return body.createOrFold<affine::AffineMinOp>(
        loc, op.getLayout()->getRowTiles(), ValueRange{numQueries});
  return body.createOrFold<arith::CeilDivUIOp>(loc, numQueries,
                                               kernel.index(tile.queries));
}

void AttentionEmitter::reverseRowTile() {
  if (!op.getSchedule() || !op.getSchedule()->getReversed())
    return;
  Value last =
      body.createOrFold<arith::SubIOp>(loc, countRowTiles(), kernel.index(1));
  rowTile = body.createOrFold<arith::SubIOp>(loc, last, rowTile);
}

void AttentionEmitter::takeHead(Value number) {
  head = number;
  firstFeature = kernel.index(0);
  if (tile.featureParts == 1)
    return;
  Value parts = kernel.index(tile.featureParts);
  Value featurePart = body.createOrFold<arith::RemUIOp>(loc, number, parts);
  head = body.createOrFold<arith::DivUIOp>(loc, number, parts);
  firstFeature = body.createOrFold<arith::MulIOp>(
      loc, featurePart, kernel.index(tile.valueFeatures));
}

OpFoldResult AttentionEmitter::countHeads() {
  OpBuilder &host = kernel.host();
  OpFoldResult heads = memref::getMixedSize(
      host, loc, hostValues.lookup(op.getQuery()), AttentionOp::head);
  return productOf(host, loc, {heads, host.getIndexAttr(tile.featureParts)});
}

void AttentionEmitter::bindPosition() {
  numQueries = size(op.getQuery(), AttentionOp::position);
  Value block = kernel.getBlockId(gpu::Dimension::x);
  if (aheadOfOthers() == 0) {
    rowTile = block;
    takeHead(kernel.getBlockId(gpu::Dimension::y));
    batch = kernel.getBlockId(gpu::Dimension::z);
    return reverseRowTile();
  }
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
  Value one = kernel.index(1), rowTiles = countRowTiles();
  Value heads = mul(size(op.getQuery(), AttentionOp::head),
                    kernel.index(tile.featureParts));
  Value all = mul(heads, size(op.getQuery(), AttentionOp::batch));
  Value parts = kernel.index(numParts());
  Value place = div(block, parts), number = rem(place, all);
  numberAhead = rowTile = div(place, all);
  if (numParts() > 1)
    part = WalkPart{rem(block, parts), numParts()};
  std::optional<int64_t> known = getConstantIntValue(rowTiles);
  if (!known || *known > aheadOfOthers()) {
    Value ahead = body.createOrFold<arith::MinUIOp>(
        loc, rowTiles, kernel.index(aheadOfOthers()));
    Value rest =
        body.createOrFold<arith::MaxUIOp>(loc, sub(rowTiles, ahead), one);
    Value early = mul(mul(ahead, all), parts), late = sub(block, early);
    Value isEarly = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                          block, early);
    Value lateTile = arith::AddIOp::create(body, loc, ahead, rem(late, rest));
    rowTile =
        arith::SelectOp::create(body, loc, isEarly, numberAhead, lateTile);
    number =
        arith::SelectOp::create(body, loc, isEarly, number, div(late, rest));
    if (part)
      part->applies = isEarly;
  }
  takeHead(rem(number, heads));
  batch = div(number, heads);
  reverseRowTile();
}

void AttentionEmitter::bindQueries() {
  Value number = rowTile;
  if (rowStride() > 1) {
    Value stride = kernel.index(rowStride());
    rowClass = body.createOrFold<arith::RemUIOp>(loc, rowTile, stride);
    number = body.createOrFold<arith::DivUIOp>(loc, rowTile, stride);
    classSize = countEvery(numQueries, rowStride(), rowClass);
  }
  firstQuery =
      arith::MulIOp::create(body, loc, number, kernel.index(tile.queries));
}

OpFoldResult stof::countRowTiles(OpBuilder &host, AttentionOp op,
                                 const IRMapping &values) {
  Location loc = op.getLoc();
  OpFoldResult queries = memref::getMixedSize(
      host, loc, values.lookup(op.getQuery()), AttentionOp::position);
  std::optional<LayoutAttr> layout = op.getLayout();
  if (layout && layout->getRowStride() > 1)
    return affine::makeComposedFoldedAffineMin(host, loc, layout->getRowTiles(),
                                               {queries});
  return ceilDiv(host, loc, queries, tileOf(op, /*chip=*/"").queries);
}

OpFoldResult stof::countTilesAhead(OpBuilder &host, AttentionOp op,
                                   const IRMapping &values) {
  MLIRContext *context = host.getContext();
  AffineExpr ahead =
      getAffineConstantExpr(op.getSchedule()->getAhead(), context);
  return affine::makeComposedFoldedAffineMin(
      host, op.getLoc(),
      AffineMap::get(0, 1, {getAffineSymbolExpr(0, context), ahead}, context),
      {countRowTiles(host, op, values)});
}

LogicalResult AttentionEmitter::launch() {
  OpBuilder &host = kernel.host();
  auto extent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, hostValues.lookup(op.getQuery()),
                                dim);
  };
  OpFoldResult rowTiles = stof::countRowTiles(host, op, hostValues);
  OpFoldResult heads = countHeads(), batches = extent(AttentionOp::batch);
  if (aheadOfOthers() == 0)
    return kernel.launch({rowTiles, heads, batches});
  // Row tiles ahead count once for each of their parts.
  AffineExpr tiles = getAffineSymbolExpr(0, host.getContext());
  AffineExpr cut = getAffineSymbolExpr(1, host.getContext());
  OpFoldResult blocks = affine::makeComposedFoldedAffineApply(
      host, loc, tiles + cut * (numParts() - 1),
      {rowTiles, countTilesAhead(host, op, hostValues)});
  OpFoldResult one = host.getIndexAttr(1);
  return kernel.launch(
      {productOf(host, loc, {blocks, heads, batches}), one, one});
}

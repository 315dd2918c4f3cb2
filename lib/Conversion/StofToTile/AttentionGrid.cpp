//===----------------------------------------------------------------------===//
// Which row tile of which head a thread block of the attention kernel computes.
//
// The grid is row tiles x heads x batches, or one line if some row tiles are
// ahead of the rest: row tile after row tile of those, each for all heads, then
// the rest, head after head. With a row stride the number of a row tile says
// both the residue of its queries and which of them they are.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;
using namespace stof;

void AttentionEmitter::bindPosition() {
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
  Value one = kernel.index(1), block = kernel.getBlockId(gpu::Dimension::x);
  Value rowTiles =
      rowStride() > 1
          ? body.createOrFold<affine::AffineMinOp>(
                loc, op.getLayout()->getRowTiles(), ValueRange{numQueries})
          : body.createOrFold<arith::CeilDivUIOp>(loc, numQueries,
                                                  kernel.index(tile.queries));
  if (aheadOfOthers() == 0) {
    rowTile = block;
    head = kernel.getBlockId(gpu::Dimension::y);
    batch = kernel.getBlockId(gpu::Dimension::z);
  } else {
    Value heads = size(op.getQuery(), AttentionOp::head);
    Value all = mul(heads, size(op.getQuery(), AttentionOp::batch));
    Value ahead = body.createOrFold<arith::MinUIOp>(
        loc, rowTiles, kernel.index(aheadOfOthers()));
    Value rest =
        body.createOrFold<arith::MaxUIOp>(loc, sub(rowTiles, ahead), one);
    Value early = mul(ahead, all), late = sub(block, early);
    Value isEarly = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                          block, early);
    Value lateTile = arith::AddIOp::create(body, loc, ahead, rem(late, rest));
    rowTile =
        arith::SelectOp::create(body, loc, isEarly, div(block, all), lateTile);
    Value number = arith::SelectOp::create(body, loc, isEarly, rem(block, all),
                                           div(late, rest));
    head = rem(number, heads);
    batch = div(number, heads);
  }
  if (op.getSchedule() && op.getSchedule()->getReversed())
    rowTile = sub(sub(rowTiles, one), rowTile);
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

void AttentionEmitter::launch() {
  OpBuilder &host = kernel.host();
  Value query = hostValues.lookup(op.getQuery());
  auto extent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, query, dim);
  };
  OpFoldResult rowTiles =
      rowStride() > 1
          ? affine::makeComposedFoldedAffineMin(host, loc,
                                                op.getLayout()->getRowTiles(),
                                                {extent(AttentionOp::position)})
          : ceilDiv(host, loc, extent(AttentionOp::position), tile.queries);
  OpFoldResult heads = extent(AttentionOp::head),
               batches = extent(AttentionOp::batch);
  if (aheadOfOthers() == 0)
    return kernel.launch({rowTiles, heads, batches});
  OpFoldResult one = host.getIndexAttr(1);
  kernel.launch({productOf(host, loc, {rowTiles, heads, batches}), one, one});
}

//===----------------------------------------------------------------------===//
// The queries of a row tile.
//===----------------------------------------------------------------------===//

#include "QueryTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace stof;

QueryTile::QueryTile(const AttentionContext &context, const CtaTile &cta,
                     Value numQueries)
    : context(context), cta(cta),
      buffer(context.getArgument(context.getOp().getQuery())),
      numQueries(numQueries) {
  OpBuilder &body = context.kernel.body();
  Value number = cta.row.number;
  if (int64_t rowStride = context.getRowStride(); rowStride > 1) {
    Value stride = context.kernel.index(rowStride);
    Value residue =
        body.createOrFold<arith::RemUIOp>(context.loc, number, stride);
    number = body.createOrFold<arith::DivUIOp>(context.loc, number, stride);
    residueClass = StridedPositions::get(body, context.loc, numQueries,
                                         rowStride, residue);
  }
  first = arith::MulIOp::create(body, context.loc, number,
                                context.kernel.index(context.tile.queries));
}

Value QueryTile::viewRows(Value buffer) const {
  if (!residueClass)
    return buffer;
  return residueClass->view(context.kernel.body(), context.loc, buffer);
}

Value QueryTile::load(OpBuilder &builder, Value rows,
                      Value firstFeature) const {
  const AttentionTile &tile = context.tile;
  Type type = context.getFragmentType(tile.features, context.element);
  if (!tile.holdsQueries)
    type = tile::SharedType::get(
        builder.getContext(), {tile.queries, tile.features}, context.element);
  return tile::LoadOp::create(
      builder, context.loc, type, rows,
      ValueRange{cta.row.batch, cta.row.head, first, firstFeature},
      builder.getDenseI64ArrayAttr(
          {AttentionOp::Position, AttentionOp::Feature}));
}

Value QueryTile::getQuery(OpBuilder &builder, Value row) const {
  Location loc = context.loc;
  auto constant = [&](OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(builder, loc, size);
  };
  Value count = residueClass ? constant(residueClass->count) : getNumQueries();
  Value last = builder.createOrFold<arith::SubIOp>(
      loc, count, arith::ConstantIndexOp::create(builder, loc, 1));
  Value number = arith::AddIOp::create(builder, loc, first, row);
  number = arith::MinUIOp::create(builder, loc, number, last);
  if (!residueClass)
    return number;
  Value stride =
      arith::ConstantIndexOp::create(builder, loc, residueClass->stride);
  Value scaled = arith::MulIOp::create(builder, loc, number, stride);
  return arith::AddIOp::create(builder, loc, scaled,
                               constant(residueClass->offset));
}

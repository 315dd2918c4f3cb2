//===----------------------------------------------------------------------===//
// The queries of a row tile.
//===----------------------------------------------------------------------===//

#include "QueryTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

//===----------------------------------------------------------------------===//
// The keys and values that one mainloop iterates over.
//===----------------------------------------------------------------------===//

#include "KeyView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace stof;

KeyView KeyView::getAll(const AttentionContext &context, const RowTile &row) {
  AttentionOp op = context.getOp();
  OpBuilder &body = context.kernel.body();
  KeyView view;
  view.positions.count =
      getAsOpFoldResult(context.getSize(op.getKey(), AttentionOp::Position));
  view.key = context.getArgument(op.getKey());
  view.value = context.getArgument(op.getValue());
  view.isFilled = view.positions.fillTiles(context.tile.keys);
  Value heads = context.getSize(op.getQuery(), AttentionOp::Head);
  Value keyHeads = context.getSize(op.getKey(), AttentionOp::Head);
  Value group = body.createOrFold<arith::DivUIOp>(context.loc, heads, keyHeads);
  view.batch = op.sharesKeys() ? context.kernel.index(0) : row.batch;
  view.head = body.createOrFold<arith::DivUIOp>(context.loc, row.head, group);
  return view;
}

KeyView KeyView::getLattice(const AttentionContext &context, int64_t stride,
                            OpFoldResult offset) const {
  OpBuilder &body = context.kernel.body();
  KeyView view;
  view.positions = StridedPositions::get(
      body, context.loc, positions.getCount(body, context.loc), stride, offset);
  view.isFilled = view.positions.fillTiles(context.tile.keys);
  view.key = view.positions.view(body, context.loc, key);
  view.value = view.positions.view(body, context.loc, value);
  view.batch = batch;
  view.head = head;
  return view;
}

/// Whether `view` has visited `key`.
static Value isVisited(OpBuilder &builder, Location loc, const KeyView &view,
                       Value key, int64_t tileKeys) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(key.getType(), value));
  };
  Value inView = key, onLattice;
  if (view.positions.stride != 1) {
    Value stride = number(view.positions.stride);
    Value phase = arith::RemUIOp::create(builder, loc, key, stride);
    Value offset = builder.createOrFold<arith::IndexCastOp>(
        loc, key.getType(),
        getValueOrCreateConstantIndexOp(builder, loc, view.positions.offset));
    onLattice = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      phase, offset);
    inView = arith::DivUIOp::create(builder, loc, key, stride);
  }
  Value keyTile =
      arith::DivUIOp::create(builder, loc, inView, number(tileKeys));
  keyTile = builder.createOrFold<arith::IndexCastOp>(
      loc, builder.getIndexType(), keyTile);
  Value visited = view.iterator->visits(builder, keyTile);
  if (onLattice)
    visited = arith::AndIOp::create(builder, loc, visited, onLattice);
  return visited;
}

Value KeyView::isVisitedEarlier(OpBuilder &builder, Location loc, Value key,
                                int64_t tileKeys) const {
  Value any;
  for (const KeyView &view : earlier) {
    Value visited = isVisited(builder, loc, view, key, tileKeys);
    any = any ? arith::OrIOp::create(builder, loc, any, visited).getResult()
              : visited;
  }
  return any;
}

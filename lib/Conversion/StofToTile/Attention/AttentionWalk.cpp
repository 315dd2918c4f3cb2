//===----------------------------------------------------------------------===//
// How the attention kernel walks over the keys that a layout visits: first over
// plain tiles, then over those of each lattice. With a row stride the only walk
// is over the keys that share pairs with the queries of the row tile.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

OpFoldResult AttentionEmitter::countEvery(Value count, int64_t stride,
                                          OpFoldResult offset) {
  // An offset is less than the stride.
  std::optional<int64_t> known = getConstantIntValue(count);
  if (known && *known % stride == 0)
    return body.getIndexAttr(*known / stride);
  Value first = getValueOrCreateConstantIndexOp(body, loc, offset);
  Value rest = body.createOrFold<arith::MaxSIOp>(
      loc, body.createOrFold<arith::SubIOp>(loc, count, first),
      kernel.index(0));
  return getAsOpFoldResult(
      body.createOrFold<arith::CeilDivUIOp>(loc, rest, kernel.index(stride)));
}

Value AttentionEmitter::viewEvery(Value buffer, int64_t stride,
                                  OpFoldResult offset, OpFoldResult count) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), body.getIndexAttr(0)),
      strides(type.getRank(), body.getIndexAttr(1)), sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(memref::getMixedSize(body, loc, buffer, dim));
  // An offset is less than the stride, and a view of nothing begins inside.
  OpFoldResult length = sizes[AttentionOp::position];
  std::optional<int64_t> known = getConstantIntValue(length);
  if (!isZeroInteger(offset) && (!known || *known < stride - 1))
    offset = body.createOrFold<arith::MinUIOp>(
        loc, getValueOrCreateConstantIndexOp(body, loc, offset),
        getValueOrCreateConstantIndexOp(body, loc, length));
  offsets[AttentionOp::position] = offset;
  strides[AttentionOp::position] = body.getIndexAttr(stride);
  sizes[AttentionOp::position] = count;
  return memref::SubViewOp::create(body, loc, buffer, offsets, sizes, strides);
}

Value AttentionEmitter::viewRows(Value buffer) {
  if (!rowClass)
    return buffer;
  return viewEvery(buffer, rowStride(), rowClass, classSize);
}

AttentionEmitter::KeyView AttentionEmitter::viewLattice(int64_t stride,
                                                        OpFoldResult offset) {
  OpFoldResult count = countEvery(numKeys, stride, offset);
  std::optional<int64_t> known = getConstantIntValue(count);
  KeyView view;
  view.stride = stride;
  view.offset = offset;
  view.count = getValueOrCreateConstantIndexOp(body, loc, count);
  view.isFilled = known && *known % tile.keys == 0;
  view.key = viewEvery(allKeys.key, stride, offset, count);
  view.value = viewEvery(allKeys.value, stride, offset, count);
  return view;
}

Value AttentionEmitter::isComputed(OpBuilder &builder, const KeyView &view,
                                   Value key) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(key.getType(), value));
  };
  Value any;
  for (const KeyView &before : view.earlier) {
    Value inView = key, onLattice;
    if (before.stride != 1) {
      Value stride = number(before.stride);
      Value phase = arith::RemUIOp::create(builder, loc, key, stride);
      Value offset = builder.createOrFold<arith::IndexCastOp>(
          loc, key.getType(),
          getValueOrCreateConstantIndexOp(builder, loc, before.offset));
      onLattice = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        phase, offset);
      inView = arith::DivUIOp::create(builder, loc, key, stride);
    }
    Value keyTile =
        arith::DivUIOp::create(builder, loc, inView, number(tile.keys));
    keyTile = builder.createOrFold<arith::IndexCastOp>(
        loc, builder.getIndexType(), keyTile);
    Value computed = before.walk->visits(builder, keyTile);
    if (onLattice)
      computed = arith::AndIOp::create(builder, loc, computed, onLattice);
    any = any ? arith::OrIOp::create(builder, loc, any, computed).getResult()
              : computed;
  }
  return any;
}

AttentionEmitter::State
AttentionEmitter::walkView(State state, const KeyView &view, LayoutWalk &walk) {
  SmallVector<Value> inits{walk.getFirst(body)};
  llvm::append_range(inits, state.all());
  auto loop = scf::WhileOp::create(
      body, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value more = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::slt, carried[0], walk.getEnd());
        scf::ConditionOp::create(builder, loc, more, carried);
      },
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value position = carried[0];
        KeyTile keys;
        keys.firstKey = arith::MulIOp::create(
            builder, loc, walk.getKeyTile(builder, position),
            arith::ConstantIndexOp::create(builder, loc, tile.keys));
        keys.tests = findTests(builder, view, walk, position);
        if (view.bitmaps)
          keys.bitmap = walk.getBitmap(builder, position);
        State next =
            step(builder, view, keys, {carried[1], carried[2], carried[3]},
                 /*emptyRows=*/{});
        SmallVector<Value> yielded{walk.getNext(builder, position)};
        llvm::append_range(yielded, next.all());
        scf::YieldOp::create(builder, loc, yielded);
      });
  return {loop.getResult(1), loop.getResult(2), loop.getResult(3)};
}

AttentionEmitter::State AttentionEmitter::walkLayout(State state) {
  LayoutAttr layout = *op.getLayout();
  RowTile row{rowTile, batch, head};
  auto operands = llvm::map_to_vector(
      op.getLayoutOperands(), [&](Value operand) { return host(operand); });
  if (layout.getStorage() != LayoutStorage::ClosedForm) {
    LayoutWalk walk(body, loc, row, operands[0], operands[1]);
    if (part)
      walk.cut(body, *part);
    KeyView view = allKeys;
    if (layout.getStorage() == LayoutStorage::Tables)
      view.bitmaps = operands[2];
    return walkView(state, view, walk);
  }
  SmallVector<Value> symbols = readSymbols(body, loc, layout, row, operands);
  auto keyTiles = [&](const KeyView &view) {
    return body.createOrFold<arith::CeilDivUIOp>(loc, view.count,
                                                 kernel.index(tile.keys));
  };
  // Views refer to the walks and views before them, which stay in place.
  unsigned count = 1 + (layout.getLattices() ? layout.getLattices().size() : 0);
  std::vector<LayoutWalk> walks;
  std::vector<KeyView> views;
  walks.reserve(count);
  views.reserve(count);
  auto add = [&](KeyView view, ArrayAttr visited, ArrayAttr partial) {
    if (!visited)
      return;
    walks.emplace_back(body, loc, visited, partial, row, keyTiles(view),
                       symbols);
    if (part)
      walks.back().cut(body, *part);
    view.walk = &walks.back();
    view.earlier = views;
    view.partial = findPartialCases(view, visited, partial);
    state = walkView(state, view, walks.back());
    views.push_back(view);
  };
  KeyView first = allKeys;
  if (rowClass) {
    // The keys whose distances from the queries have the residue.
    int64_t stride = rowStride();
    Value shifted = body.createOrFold<arith::AddIOp>(
        loc, rowClass, kernel.index(stride - layout.getResidue()));
    first = viewLattice(stride, body.createOrFold<arith::RemUIOp>(
                                    loc, shifted, kernel.index(stride)));
  }
  add(first, layout.getVisited(), layout.getPartial());
  if (layout.getLattices())
    for (auto lattice : layout.getLattices().getAsRange<LatticeAttr>())
      add(viewLattice(lattice.getStride(),
                      body.getIndexAttr(lattice.getOffset())),
          lattice.getVisited(), lattice.getPartial());
  return state;
}

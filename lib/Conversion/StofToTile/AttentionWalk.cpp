//===----------------------------------------------------------------------===//
// How the attention kernel walks over the keys that a layout visits: first over
// plain tiles, then over those of each lattice.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

AttentionEmitter::KeyView AttentionEmitter::viewLattice(int64_t stride,
                                                        int64_t offset) {
  KeyView view;
  view.stride = stride;
  view.offset = offset;
  // The keys offset, offset + stride, ... below the number of keys.
  Value rest = body.createOrFold<arith::MaxSIOp>(
      loc, body.createOrFold<arith::SubIOp>(loc, numKeys, kernel.index(offset)),
      kernel.index(0));
  view.count =
      body.createOrFold<arith::CeilDivUIOp>(loc, rest, kernel.index(stride));
  auto every = [&](Value buffer) -> Value {
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), body.getIndexAttr(0)),
        strides(type.getRank(), body.getIndexAttr(1)), sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      sizes.push_back(memref::getMixedSize(body, loc, buffer, dim));
    offsets[AttentionOp::position] = body.getIndexAttr(offset);
    strides[AttentionOp::position] = body.getIndexAttr(stride);
    sizes[AttentionOp::position] = getAsOpFoldResult(view.count);
    return memref::SubViewOp::create(body, loc, buffer, offsets, sizes,
                                     strides);
  };
  view.key = every(allKeys.key);
  view.value = every(allKeys.value);
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
      onLattice = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        phase, number(before.offset));
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
        keys.partial = walk.isPartial(builder, position);
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
    view.walk = &walks.back();
    view.earlier = views;
    state = walkView(state, view, walks.back());
    views.push_back(view);
  };
  add(allKeys, layout.getVisited(), layout.getPartial());
  if (layout.getLattices())
    for (auto lattice : layout.getLattices().getAsRange<LatticeAttr>())
      add(viewLattice(lattice.getStride(), lattice.getOffset()),
          lattice.getVisited(), lattice.getPartial());
  return state;
}

//===----------------------------------------------------------------------===//
// Iterates over the key tiles of a layout. For a closed form, the next key tile
// is the next one in any interval; a tile list is read entry by entry.
//===----------------------------------------------------------------------===//

#include "KeyTileIterator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

static Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// `value`, a number of key tiles, as `type`.
static Value cast(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return builder.createOrFold<arith::IndexCastOp>(loc, type, value);
}

/// A constant of the type of `like`.
static Value constantLike(OpBuilder &builder, Location loc, Value like,
                          int64_t value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(like.getType(), value));
}

/// Loads an integer element of a buffer as an index.
static Value loadIndex(OpBuilder &builder, Location loc, Value buffer,
                       ValueRange position) {
  Value element = memref::LoadOp::create(builder, loc, buffer, position);
  if (element.getType().isIndex())
    return element;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    element);
}

SmallVector<Value> stof::readSymbols(OpBuilder &builder, Location loc,
                                     LayoutAttr layout, RowTile row,
                                     ValueRange operands) {
  SmallVector<Value> symbols;
  if (!layout.getSymbols())
    return symbols;
  assert(operands.size() == layout.getSymbols().size() &&
         "expects an operand for each symbol");
  for (auto [operand, symbol] :
       llvm::zip(operands, layout.getSymbols().getValue())) {
    if (!isa<MemRefType>(operand.getType())) {
      symbols.push_back(operand);
      continue;
    }
    SmallVector<Value> position;
    AffineMap map = cast<AffineMapAttr>(symbol).getValue();
    for (unsigned result = 0; result < map.getNumResults(); ++result)
      position.push_back(affine::AffineApplyOp::create(
          builder, loc, map.getSubMap(result), {row.batch, row.head}));
    symbols.push_back(loadIndex(builder, loc, operand, position));
  }
  return symbols;
}

KeyTileIterator::KeyTileIterator(OpBuilder &builder, Location loc, RowTile row,
                                 Value ranges, Value entries,
                                 LayoutAttr::Range first,
                                 LayoutAttr::Range last)
    : loc(loc), zero(constantIndex(builder, loc, 0)), entries(entries) {
  // A list that all batches or heads share has size 1 along them.
  auto shape = cast<MemRefType>(ranges.getType()).getShape();
  Value batch = shape[0] == 1 ? zero : row.batch;
  Value head = shape[1] == 1 ? zero : row.head;
  auto load = [&](LayoutAttr::Range number) {
    return loadIndex(
        builder, loc, ranges,
        {batch, head, row.number, constantIndex(builder, loc, number)});
  };
  begin = load(first);
  end = load(last);
}

KeyTileIterator::KeyTileIterator(OpBuilder &builder, Location loc,
                                 ArrayAttr visited, ArrayAttr partial,
                                 RowTile row, Value keyTiles,
                                 ValueRange symbols)
    : loc(loc), zero(constantIndex(builder, loc, 0)), begin(zero),
      end(keyTiles), visited(getSpans(builder, visited, row, symbols)),
      partial(getSpans(builder, partial, row, symbols)) {
  if (getConstantIntValue(keyTiles))
    return;
  Type i32 = builder.getI32Type();
  for (SmallVector<Span> *spans : {&this->visited, &this->partial})
    for (Span &span : *spans)
      span = {cast(builder, loc, span.begin, i32),
              cast(builder, loc, span.end, i32)};
  end = cast(builder, loc, end, i32);
  zero = constantLike(builder, loc, end, 0);
  begin = zero;
}

SmallVector<KeyTileIterator::Span>
KeyTileIterator::getSpans(OpBuilder &builder, ArrayAttr intervals, RowTile row,
                          ValueRange symbols) {
  SmallVector<Span> spans;
  if (!intervals)
    return spans;
  SmallVector<Value> operands{row.number, row.batch, row.head};
  llvm::append_range(operands, symbols);
  for (auto interval : intervals.getAsRange<IntervalAttr>()) {
    Span span{zero, end};
    if (AffineMapAttr from = interval.getFrom())
      span.begin = builder.createOrFold<affine::AffineMaxOp>(
          loc, from.getValue(), operands);
    if (AffineMapAttr to = interval.getTo())
      span.end = builder.createOrFold<affine::AffineMinOp>(loc, to.getValue(),
                                                           operands);
    if (AffineMapAttr where = interval.getWhere()) {
      Value least = builder.createOrFold<affine::AffineMinOp>(
          loc, where.getValue(), operands);
      Value holds =
          arith::CmpIOp::create(builder, loc, CmpIPredicate::sge, least, zero);
      span.end = arith::SelectOp::create(builder, loc, holds, span.end, zero);
    }
    spans.push_back(span);
  }
  return spans;
}

Value KeyTileIterator::findVisited(OpBuilder &builder, Value from) {
  Value next = end;
  for (const Span &span : visited) {
    Value candidate =
        builder.createOrFold<arith::MaxSIOp>(loc, span.begin, from);
    Value ahead = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt,
                                        candidate, span.end);
    candidate = arith::SelectOp::create(builder, loc, ahead, candidate, end);
    next = builder.createOrFold<arith::MinSIOp>(loc, next, candidate);
  }
  return next;
}

void SplitRange::cut(OpBuilder &builder, Location loc, Value &begin,
                     Value &end) const {
  Value splits = constantLike(builder, loc, end, count);
  Value length = builder.createOrFold<arith::SubIOp>(loc, end, begin);
  Value number = cast(builder, loc, this->number, end.getType());
  Value next = builder.createOrFold<arith::AddIOp>(
      loc, number, constantLike(builder, loc, end, 1));
  auto at = [&](Value number, Value unsplit) -> Value {
    Value all = builder.createOrFold<arith::MulIOp>(loc, length, number);
    Value offset = builder.createOrFold<arith::DivUIOp>(loc, all, splits);
    Value cut = builder.createOrFold<arith::AddIOp>(loc, begin, offset);
    if (!applies)
      return cut;
    return arith::SelectOp::create(builder, loc, applies, cut, unsplit);
  };
  Value first = at(number, begin);
  end = at(next, end);
  begin = first;
}

void KeyTileIterator::cut(OpBuilder &builder, const SplitRange &split) {
  if (!entries) {
    // The range shrinks to the visited key tiles first, to balance the splits.
    begin = findVisited(builder, zero);
    Value last = begin;
    for (const Span &span : visited) {
      Value any = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt,
                                        span.begin, span.end);
      Value spanEnd =
          arith::SelectOp::create(builder, loc, any, span.end, begin);
      last = builder.createOrFold<arith::MaxSIOp>(loc, last, spanEnd);
    }
    end = builder.createOrFold<arith::MinSIOp>(loc, last, end);
  }
  split.cut(builder, loc, begin, end);
}

Value KeyTileIterator::getFirst(OpBuilder &builder) {
  return entries ? begin : findVisited(builder, begin);
}

Value KeyTileIterator::getNext(OpBuilder &builder, Value position) {
  Value next = arith::AddIOp::create(builder, loc, position,
                                     constantLike(builder, loc, position, 1));
  return entries ? next : findVisited(builder, next);
}

Value KeyTileIterator::loadEntry(OpBuilder &builder, Value position) {
  assert(entries && "expects a tile list");
  return loadIndex(builder, loc, entries, position);
}

Value KeyTileIterator::getKeyTile(OpBuilder &builder, Value position) {
  if (!entries)
    return cast(builder, loc, position, builder.getIndexType());
  Value entry = loadEntry(builder, position);
  Value tile = arith::AndIOp::create(
      builder, loc, entry,
      constantIndex(builder, loc, std::numeric_limits<uint32_t>::max()));
  return arith::ShRUIOp::create(builder, loc, tile,
                                constantIndex(builder, loc, 1));
}

Value KeyTileIterator::getBitmap(OpBuilder &builder, Value position) {
  return arith::ShRUIOp::create(builder, loc, loadEntry(builder, position),
                                constantIndex(builder, loc, 32));
}

Value KeyTileIterator::isPartial(OpBuilder &builder, Value position) {
  if (!entries)
    return isInside(builder, partial, position);
  Value entry = loadEntry(builder, position);
  Value bit = arith::AndIOp::create(builder, loc, entry,
                                    constantIndex(builder, loc, 1));
  return arith::CmpIOp::create(builder, loc, CmpIPredicate::ne, bit, zero);
}

Value KeyTileIterator::isPartial(OpBuilder &builder, Value position,
                                 ArrayRef<unsigned> intervals) {
  if (entries)
    return isPartial(builder, position);
  auto spans = llvm::map_to_vector(
      intervals, [&](unsigned number) { return partial[number]; });
  return isInside(builder, spans, position);
}

Value KeyTileIterator::visits(OpBuilder &builder, Value keyTile) const {
  assert(!entries && "expects a closed form");
  if (Value inside = isInside(builder, visited, keyTile))
    return inside;
  return arith::ConstantIntOp::create(builder, loc, 0, 1);
}

/// Null if there are no spans.
Value KeyTileIterator::isInside(OpBuilder &builder, ArrayRef<Span> spans,
                                Value keyTile) const {
  keyTile = cast(builder, loc, keyTile, end.getType());
  Value any;
  for (const Span &span : spans) {
    Value begun = arith::CmpIOp::create(builder, loc, CmpIPredicate::sge,
                                        keyTile, span.begin);
    Value before = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt,
                                         keyTile, span.end);
    Value inside = builder.createOrFold<arith::AndIOp>(loc, begun, before);
    any = any ? builder.createOrFold<arith::OrIOp>(loc, any, inside) : inside;
  }
  return any;
}

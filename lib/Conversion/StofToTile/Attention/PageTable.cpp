//===----------------------------------------------------------------------===//
// The keys of a sequence in pages.
//===----------------------------------------------------------------------===//

#include "PageTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

PageTable::PageTable(const AttentionContext &context, const RowTile &row)
    : context(context) {
  AttentionOp op = context.getOp();
  BlockMaskOp blocks = op.getPageTable();
  OpBuilder &body = context.kernel.body();
  Location loc = context.loc;
  pageKeys = blocks.getKeyBlock();
  list = context.getArgument(blocks.getColIdx());
  numKeys = context.getSize(op.getKey(), AttentionOp::Position);
  Value one = context.kernel.index(1), zero = context.kernel.index(0);
  Value query = body.createOrFold<arith::MulIOp>(
      loc, row.number, context.kernel.index(context.tile.queries));
  Value number = body.createOrFold<arith::DivUIOp>(
      loc, query, context.kernel.index(blocks.getQueryBlock()));
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::Position);
  if (int64_t inBlock = blocks.getQueryBlock();
      !ShapedType::isDynamic(queries) && queries <= inBlock)
    number = zero;
  auto read = [&](Value operand, Value at) -> Value {
    SmallVector<Value> position{at};
    if (blocks.hasBatches())
      position.insert(position.begin(), row.batch);
    Value element = memref::LoadOp::create(
        body, loc, context.getArgument(operand), position);
    return arith::IndexCastOp::create(body, loc, body.getIndexType(), element);
  };
  // Pointers outside of the list are its end.
  Value entries = getValueOrCreateConstantIndexOp(
      body, loc, memref::getMixedSize(body, loc, list, 0));
  auto readPointer = [&](Value at) -> Value {
    Value pointer = read(blocks.getRowPtr(), at);
    pointer = arith::MaxSIOp::create(body, loc, pointer, zero);
    return arith::MinSIOp::create(body, loc, pointer, entries);
  };
  begin = readPointer(number);
  Value end = readPointer(body.createOrFold<arith::AddIOp>(loc, number, one));
  Value room = arith::MulIOp::create(
      body, loc, arith::SubIOp::create(body, loc, end, begin),
      context.kernel.index(pageKeys));
  length = arith::MinSIOp::create(body, loc, read(blocks.getLengths(), number),
                                  room);
}

SmallVector<Value> PageTable::getPages(OpBuilder &builder, Value first) const {
  Location loc = context.loc;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto read = [&](Value at) -> Value {
    Value page = memref::LoadOp::create(builder, loc, list, at);
    page = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        page);
    return arith::MulIOp::create(builder, loc, page, constant(pageKeys));
  };
  Value page = arith::DivUIOp::create(builder, loc, first, constant(pageKeys));
  Value at = arith::AddIOp::create(builder, loc, begin, page);
  Value start = read(at);
  int64_t keys = context.tile.keys;
  if (pageKeys > keys) {
    Value inPage =
        arith::RemUIOp::create(builder, loc, first, constant(pageKeys));
    return {arith::AddIOp::create(builder, loc, start, inPage)};
  }
  SmallVector<Value> pages{start};
  for (int64_t key = pageKeys; key < keys; key += pageKeys) {
    Value here = arith::AddIOp::create(builder, loc, first, constant(key));
    Value exists =
        arith::CmpIOp::create(builder, loc, CmpIPredicate::slt, here, length);
    Value next =
        arith::AddIOp::create(builder, loc, at, constant(key / pageKeys));
    // The first page is read in its place.
    next = arith::SelectOp::create(builder, loc, exists, next, at);
    pages.push_back(
        arith::SelectOp::create(builder, loc, exists, read(next), numKeys));
  }
  return pages;
}

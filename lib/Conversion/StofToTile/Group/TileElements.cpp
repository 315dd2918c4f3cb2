//===----------------------------------------------------------------------===//
// Elements of a fragment at other columns than the one that they are needed
// for. The fragment is put into shared memory, which holds all columns that
// belong together.
//===----------------------------------------------------------------------===//

#include "../Scalar/ScalarBody.h"
#include "FragmentProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stof;

void FragmentProgram::shareElements(OpBuilder &builder, linalg::LinalgOp op) {
  for (const ElementRead &read : plan.getElementReads()) {
    if (read.reader != op)
      continue;
    OpResult origin = plan.getOrigin(read.getTensor());
    Value &tile = shared[origin];
    if (tile)
      continue;
    Value fragment = fragments.lookup(origin);
    auto type = cast<tile::FragmentType>(fragment.getType());
    tile = tile::ConvertOp::create(builder, loc,
                                   tile::SharedType::get(builder.getContext(),
                                                         type.getShape(),
                                                         type.getElementType()),
                                   fragment);
  }
}

Value FragmentProgram::readElement(OpBuilder &builder, const ElementRead &read,
                                   ValueRange indices,
                                   ValueRange inTile) const {
  auto sizesOf = [&](ArrayRef<unsigned> digits) {
    return llvm::map_to_vector(
        digits, [&](unsigned digit) { return sizes.lookup(digit); });
  };
  Value column = getNumber(builder, columnAxis, inTile[columnAxis]);
  Value all = productOf(builder, loc, sizesOf(plan.getHeld()));
  Value own = arith::RemUIOp::create(builder, loc, column, all);
  llvm::SmallDenseMap<unsigned, Value> values;
  for (auto [digit, value] :
       llvm::zip(plan.getHeld(),
                 delinearize(builder, loc, own, sizesOf(plan.getHeld()))))
    values[digit] = value;
  for (unsigned dim : read.moved) {
    Digits digits = plan.getReadDigits(read, dim);
    Value index = indices[dim];
    if (read.isFound) {
      // What is computed of rows that do not exist may be any number.
      Value size = productOf(builder, loc, sizesOf(digits));
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      Value last = arith::SubIOp::create(builder, loc, size, one);
      index = arith::MinUIOp::create(builder, loc, index, last);
    }
    for (auto [digit, value] :
         llvm::zip(digits, delinearize(builder, loc, index, sizesOf(digits))))
      values[digit] = value;
  }
  // The first of the columns that belong together, within the tile.
  Value place = arith::SubIOp::create(builder, loc, column, own);
  place = arith::SubIOp::create(builder, loc, place, tile.firstColumn);
  Value moved = arith::ConstantIndexOp::create(builder, loc, 0);
  for (unsigned digit : plan.getHeld()) {
    moved = arith::MulIOp::create(builder, loc, moved, sizes.lookup(digit));
    moved = arith::AddIOp::create(builder, loc, moved, values.lookup(digit));
  }
  place = arith::AddIOp::create(builder, loc, place, moved);
  OpResult origin = plan.getOrigin(read.getTensor());
  return tile::ExtractOp::create(builder, loc, shared.lookup(origin),
                                 inTile[rowAxis], place);
}

SmallVector<Value>
FragmentProgram::copyBody(OpBuilder &builder, linalg::LinalgOp op,
                          ValueRange inputs, ValueRange carried,
                          ValueRange coordinates, ValueRange inTile) const {
  IRMapping values = scalars;
  for (auto [operand, value] : llvm::zip(op.getDpsInputOperands(), inputs))
    if (value)
      values.map(op.getMatchingBlockArgument(operand), value);
  values.map(op.getRegionOutputArgs(), carried);
  return copyScalarBody(
      builder, *op.getBlock(), values, coordinates,
      [&](OpBuilder &inner, tensor::ExtractOp extract, ValueRange indices) {
        const ElementRead *read =
            llvm::find_if(plan.getElementReads(), [&](const ElementRead &one) {
              return one.extract == extract;
            });
        return readElement(inner, *read, indices, inTile);
      });
}

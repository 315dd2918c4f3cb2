//===----------------------------------------------------------------------===//
// Elementwise tile.map operations of one result.
//===----------------------------------------------------------------------===//

#include "MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace stof;

Value stof::mapElements(OpBuilder &builder, Location loc, Type type,
                        ValueRange inputs, ElementBuilder element) {
  return tile::MapOp::create(builder, loc, TypeRange(type), inputs,
                             [&](OpBuilder &inner, Location,
                                 ValueRange coordinates, ValueRange elements) {
                               return SmallVector<Value>{
                                   element(inner, coordinates, elements)};
                             })
      .getResult(0);
}

Value stof::createF32(OpBuilder &builder, Location loc, float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

Value stof::createNegativeInfinity(OpBuilder &builder, Location loc) {
  return createF32(builder, loc, -std::numeric_limits<float>::infinity());
}

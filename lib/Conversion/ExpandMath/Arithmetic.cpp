//===----------------------------------------------------------------------===//
// Helpers that build arithmetic on scalars and vectors.
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stof;

Type Arithmetic::of(Type element) const {
  if (auto shaped = dyn_cast<ShapedType>(shape))
    return shaped.clone(element);
  return element;
}

/// A scalar constant or a splat.
static Value constant(OpBuilder &builder, Location loc, Type type,
                      TypedAttr element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    element = DenseElementsAttr::get(shaped, Attribute(element));
  return arith::ConstantOp::create(builder, loc, element);
}

Value Arithmetic::real(Type type, double value) const {
  return constant(builder, loc, type,
                  builder.getFloatAttr(getElementTypeOrSelf(type), value));
}
Value Arithmetic::whole(Type type, int64_t value) const {
  return constant(builder, loc, type,
                  builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

Value Arithmetic::add(Value lhs, Value rhs) const {
  if (getElementTypeOrSelf(lhs.getType()).isInteger())
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  return arith::AddFOp::create(builder, loc, lhs, rhs);
}
Value Arithmetic::sub(Value lhs, Value rhs) const {
  if (getElementTypeOrSelf(lhs.getType()).isInteger())
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  return arith::SubFOp::create(builder, loc, lhs, rhs);
}
Value Arithmetic::mul(Value lhs, Value rhs) const {
  return arith::MulFOp::create(builder, loc, lhs, rhs);
}
Value Arithmetic::div(Value lhs, Value rhs) const {
  return arith::DivFOp::create(builder, loc, lhs, rhs);
}
Value Arithmetic::exp2(Value x) const {
  return math::Exp2Op::create(builder, loc, x);
}
Value Arithmetic::fma(Value a, Value b, Value c) const {
  return math::FmaOp::create(builder, loc, a, b, c);
}
Value Arithmetic::bits(Type type, Value value) const {
  return arith::BitcastOp::create(builder, loc, type, value);
}

Value Arithmetic::cast(Type type, Value value) const {
  Type from = getElementTypeOrSelf(value.getType());
  Type to = getElementTypeOrSelf(type);
  if (from == to)
    return value;
  if (from.isInteger() && to.isInteger()) {
    if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
      return arith::ExtSIOp::create(builder, loc, type, value);
    return arith::TruncIOp::create(builder, loc, type, value);
  }
  if (from.isInteger())
    return arith::SIToFPOp::create(builder, loc, type, value);
  if (to.isInteger())
    return arith::FPToSIOp::create(builder, loc, type, value);
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value Arithmetic::select(Value condition, Value yes, Value no) const {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}
Value Arithmetic::compare(arith::CmpFPredicate predicate, Value lhs,
                          Value rhs) const {
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}
Value Arithmetic::compare(arith::CmpIPredicate predicate, Value lhs,
                          Value rhs) const {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

Value Arithmetic::clamp(Value x, double low, double high) const {
  x = arith::MaxNumFOp::create(builder, loc, x, real(x.getType(), low));
  return arith::MinNumFOp::create(builder, loc, x, real(x.getType(), high));
}

Value Arithmetic::polynomial(Value x, ArrayRef<double> c) const {
  Value sum = real(x.getType(), c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(sum, x, real(x.getType(), coefficient));
  return sum;
}

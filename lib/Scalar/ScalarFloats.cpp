//===----------------------------------------------------------------------===//
// Scalar expressions: floats. Constants fold in their own type; only identities
// that preserve values are applied. Integers that are computed in floats become
// integers again if every step is exact.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarExpr.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static std::optional<APFloat> foldUnary(ScalarOp op, const APFloat &value) {
  switch (op) {
  case ScalarOp::NegF:
    return neg(value);
  case ScalarOp::AbsF:
    return abs(value);
  case ScalarOp::Floor: {
    APFloat result = value;
    result.roundToIntegral(APFloat::rmTowardNegative);
    return result;
  }
  case ScalarOp::Exp:
    if (value.isZero())
      return APFloat(value.getSemantics(), 1);
    if (value.isInfinity() && value.isNegative())
      return APFloat::getZero(value.getSemantics());
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

static std::optional<APFloat> foldBinary(ScalarOp op, const APFloat &lhs,
                                         const APFloat &rhs) {
  APFloat result = lhs;
  switch (op) {
  case ScalarOp::AddF:
    result.add(rhs, APFloat::rmNearestTiesToEven);
    return result;
  case ScalarOp::SubF:
    result.subtract(rhs, APFloat::rmNearestTiesToEven);
    return result;
  case ScalarOp::MulF:
    result.multiply(rhs, APFloat::rmNearestTiesToEven);
    return result;
  case ScalarOp::DivF:
    result.divide(rhs, APFloat::rmNearestTiesToEven);
    return result;
  case ScalarOp::MaxF:
    return maximum(lhs, rhs);
  case ScalarOp::MinF:
    return minimum(lhs, rhs);
  default:
    return std::nullopt;
  }
}

static bool isChoice(const Expr *expr) {
  return expr->op == ScalarOp::Select &&
         expr->operands[1]->op == ScalarOp::Constant &&
         expr->operands[2]->op == ScalarOp::Constant;
}

const Expr *ExprContext::floatOp(ScalarOp op, Type type,
                                 ArrayRef<const Expr *> operands) {
  if (operands.size() == 1) {
    const Expr *operand = operands[0];
    if (std::optional<APFloat> value = operand->getFloat())
      if (std::optional<APFloat> folded = foldUnary(op, *value))
        return real(*folded, type);
    if (op == ScalarOp::NegF && operand->op == ScalarOp::NegF)
      return operand->operands[0];
    if (isChoice(operand) && op != ScalarOp::Other)
      return select(operand->operands[0],
                    floatOp(op, type, operand->operands[1]),
                    floatOp(op, type, operand->operands[2]));
    return unique(op, type, operands);
  }

  const Expr *lhs = operands[0], *rhs = operands[1];
  std::optional<APFloat> a = lhs->getFloat(), b = rhs->getFloat();
  if (a && b)
    if (std::optional<APFloat> folded = foldBinary(op, *a, *b))
      return real(*folded, type);
  if ((op == ScalarOp::MaxF || op == ScalarOp::MinF) && lhs == rhs)
    return lhs;
  if ((op == ScalarOp::AddF || op == ScalarOp::SubF) && b && b->isZero())
    return lhs;
  if (op == ScalarOp::AddF && a && a->isZero())
    return rhs;
  if ((op == ScalarOp::MulF || op == ScalarOp::DivF) && rhs->isFloatValue(1))
    return lhs;
  if (op == ScalarOp::MulF && lhs->isFloatValue(1))
    return rhs;
  // Constants are folded into a select of constants: (1 - [c]) * -10000.
  if (isChoice(lhs) && b)
    return select(lhs->operands[0], floatOp(op, type, {lhs->operands[1], rhs}),
                  floatOp(op, type, {lhs->operands[2], rhs}));
  if (isChoice(rhs) && a)
    return select(rhs->operands[0], floatOp(op, type, {lhs, rhs->operands[1]}),
                  floatOp(op, type, {lhs, rhs->operands[2]}));
  if (isChoice(lhs) && isChoice(rhs) && lhs->operands[0] == rhs->operands[0])
    return select(lhs->operands[0],
                  floatOp(op, type, {lhs->operands[1], rhs->operands[1]}),
                  floatOp(op, type, {lhs->operands[2], rhs->operands[2]}));
  if (isCommutative(op) && lhs->id > rhs->id)
    std::swap(lhs, rhs);
  return unique(op, type, {lhs, rhs});
}

const Expr *ExprContext::cast(const Expr *operand, Type type) {
  if (operand->type == type)
    return operand;
  if (std::optional<APFloat> value = operand->getFloat())
    return real(*value, type);
  if (isChoice(operand))
    return select(operand->operands[0], cast(operand->operands[1], type),
                  cast(operand->operands[2], type));
  // Widening is lossless: a cast of a widened value is a cast of its source.
  if (operand->op == ScalarOp::Cast) {
    const Expr *source = operand->operands[0];
    const llvm::fltSemantics &middle =
        mlir::cast<FloatType>(operand->type).getFloatSemantics();
    const llvm::fltSemantics &inner =
        mlir::cast<FloatType>(source->type).getFloatSemantics();
    if (APFloat::isRepresentableBy(inner, middle))
      return cast(source, type);
  }
  return unique(ScalarOp::Cast, type, {operand});
}

const Expr *ExprContext::intToFloat(const Expr *operand, Type type) {
  if (std::optional<int64_t> value = operand->getInt()) {
    APFloat converted(mlir::cast<FloatType>(type).getFloatSemantics());
    converted.convertFromAPInt(APInt(64, *value, /*isSigned=*/true),
                               /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    return real(converted, type);
  }
  if (isChoice(operand))
    return select(operand->operands[0], intToFloat(operand->operands[1], type),
                  intToFloat(operand->operands[2], type));
  return unique(ScalarOp::IToF, type, {operand});
}

//===----------------------------------------------------------------------===//
// Integers in floats
//===----------------------------------------------------------------------===//

/// Whether the type represents every integer in the range of `expr`.
static bool isExact(const Expr *expr, Type type) {
  unsigned precision =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  int64_t limit = int64_t(1) << std::min(precision, 62u);
  return expr->lo >= -limit && expr->hi <= limit;
}

/// The integer that a float expression computes without rounding, or null. The
/// floor of a quotient is exact if both operands are: the rounded quotient
/// reaches no integer that the true one does not.
static const Expr *asInteger(ExprContext &context, const Expr *expr,
                             unsigned depth = 0) {
  constexpr unsigned deepest = 12;
  if (depth++ > deepest)
    return nullptr;
  switch (expr->op) {
  case ScalarOp::Constant: {
    APFloat value = *expr->getFloat();
    APSInt integer(64, /*isUnsigned=*/false);
    bool exact = false;
    if (!value.isFinite() ||
        value.convertToInteger(integer, APFloat::rmTowardZero, &exact) !=
            APFloat::opOK ||
        !exact)
      return nullptr;
    return context.integer(integer.getSExtValue());
  }
  case ScalarOp::IToF:
    return isExact(expr->operands[0], expr->type) ? expr->operands[0] : nullptr;
  case ScalarOp::Cast: {
    const Expr *inner = asInteger(context, expr->operands[0], depth);
    return inner && isExact(inner, expr->type) ? inner : nullptr;
  }
  case ScalarOp::NegF: {
    const Expr *inner = asInteger(context, expr->operands[0], depth);
    return inner ? context.linear({inner}, {-1}, 0) : nullptr;
  }
  case ScalarOp::Floor: {
    const Expr *quotient = expr->operands[0];
    if (quotient->op != ScalarOp::DivF && quotient->op != ScalarOp::MulF)
      return asInteger(context, quotient, depth);
    const Expr *dividend = asInteger(context, quotient->operands[0], depth);
    const Expr *divisor = asInteger(context, quotient->operands[1], depth);
    if (quotient->op == ScalarOp::DivF && dividend && divisor &&
        divisor->lo > 0 && isExact(dividend, expr->type) &&
        isExact(divisor, expr->type))
      return context.floorDiv(dividend, divisor);
    return asInteger(context, quotient, depth);
  }
  case ScalarOp::AddF:
  case ScalarOp::SubF:
  case ScalarOp::MulF: {
    const Expr *lhs = asInteger(context, expr->operands[0], depth);
    const Expr *rhs =
        lhs ? asInteger(context, expr->operands[1], depth) : nullptr;
    if (!rhs)
      return nullptr;
    const Expr *result = expr->op == ScalarOp::AddF   ? context.add(lhs, rhs)
                         : expr->op == ScalarOp::SubF ? context.sub(lhs, rhs)
                                                      : context.mul(lhs, rhs);
    return isExact(result, expr->type) ? result : nullptr;
  }
  case ScalarOp::Select: {
    const Expr *ifTrue = asInteger(context, expr->operands[1], depth);
    const Expr *ifFalse =
        ifTrue ? asInteger(context, expr->operands[2], depth) : nullptr;
    return ifFalse ? context.select(expr->operands[0], ifTrue, ifFalse)
                   : nullptr;
  }
  default:
    return nullptr;
  }
}

const Expr *ExprContext::floatToInt(const Expr *operand) {
  if (const Expr *exact = asInteger(*this, operand))
    return exact;
  // Truncation of a nonnegative quotient is its floor.
  if (operand->op == ScalarOp::DivF) {
    const Expr *dividend = asInteger(*this, operand->operands[0]);
    const Expr *divisor = asInteger(*this, operand->operands[1]);
    if (dividend && divisor && dividend->lo >= 0 && divisor->lo > 0 &&
        isExact(dividend, operand->type) && isExact(divisor, operand->type))
      return floorDiv(dividend, divisor);
  }
  return unique(ScalarOp::FToI, indexType, {operand});
}

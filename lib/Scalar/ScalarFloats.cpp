//===----------------------------------------------------------------------===//
// Scalar expressions: floats. Constants fold in their own type; only identities
// that preserve values are applied. Integers that are computed in floats become
// integers again if every step is exact.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarExpr.h"
#include "stof/Scalar/ScalarFunctions.h"

using namespace mlir;
using namespace stof;

/// The operand that `op` returns unchanged, null if there is none.
static const Expr *findIdentity(ScalarOp op, ArrayRef<const Expr *> operands) {
  const Expr *lhs = operands.front(), *rhs = operands.back();
  auto isZero = [](const Expr *expr) {
    std::optional<APFloat> value = expr->getFloat();
    return value && value->isZero();
  };
  switch (op) {
  case ScalarOp::NegF:
    return lhs->op == ScalarOp::NegF ? lhs->operands[0] : nullptr;
  case ScalarOp::MaxF:
  case ScalarOp::MinF:
    return lhs == rhs ? lhs : nullptr;
  case ScalarOp::AddF:
    return isZero(rhs) ? lhs : isZero(lhs) ? rhs : nullptr;
  case ScalarOp::SubF:
    return isZero(rhs) ? lhs : nullptr;
  case ScalarOp::MulF:
    return rhs->isFloatValue(1) ? lhs : lhs->isFloatValue(1) ? rhs : nullptr;
  case ScalarOp::DivF:
    return rhs->isFloatValue(1) ? lhs : nullptr;
  default:
    return nullptr;
  }
}

/// A select of constants with `op` applied to its arms, as in
/// (1 - [c]) * -10000: the operands are constants and selects of constants by
/// one condition. Null for others.
const Expr *ExprContext::distribute(ScalarOp op, Type type,
                                    ArrayRef<const Expr *> operands) {
  const Expr *condition = nullptr;
  for (const Expr *operand : operands) {
    if (operand->isConstant())
      continue;
    if (!operand->isChoice() ||
        (condition && condition != operand->operands[0]))
      return nullptr;
    condition = operand->operands[0];
  }
  if (!condition)
    return nullptr;
  auto applyToArm = [&](unsigned arm) {
    return floatOp(
        op, type, llvm::map_to_vector(operands, [&](const Expr *operand) {
          return operand->isConstant() ? operand : operand->operands[arm];
        }));
  };
  const Expr *ifTrue = applyToArm(1), *ifFalse = applyToArm(2);
  return select(condition, ifTrue, ifFalse);
}

const Expr *ExprContext::floatOp(ScalarOp op, Type type,
                                 ArrayRef<const Expr *> operands) {
  SmallVector<APFloat, 2> constants;
  for (const Expr *operand : operands)
    if (std::optional<APFloat> value = operand->getFloat())
      constants.push_back(*value);
  if (constants.size() == operands.size())
    if (std::optional<APFloat> folded = foldFloat(op, constants))
      return real(*folded, type);
  if (const Expr *same = findIdentity(op, operands))
    return same;
  if (const Expr *choice = distribute(op, type, operands))
    return choice;
  SmallVector<const Expr *, 2> sorted(operands);
  if (isCommutative(op) && sorted[0]->id > sorted[1]->id)
    std::swap(sorted[0], sorted[1]);
  return unique(op, type, sorted);
}

const Expr *ExprContext::cast(const Expr *operand, Type type) {
  if (operand->type == type)
    return operand;
  if (std::optional<APFloat> value = operand->getFloat())
    return real(*value, type);
  if (operand->isChoice())
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
  if (operand->isChoice())
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

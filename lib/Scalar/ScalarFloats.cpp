//===----------------------------------------------------------------------===//
// Scalar expressions: floats. Constants fold in their own type; only identities
// that preserve values are applied. Integers that are computed in floats become
// integers again if every step is exact.
//===----------------------------------------------------------------------===//

#include "ExactInteger.h"
#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarVisitor.h"

#include "llvm/Support/SaveAndRestore.h"

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

namespace {
/// Finds the integer that a float expression computes without rounding, or
/// null.
class ExactInteger : public ScalarVisitor<ExactInteger, const Expr *> {
public:
  explicit ExactInteger(ExprContext &context) : context(context) {}

  const Expr *find(const Expr *expr) {
    constexpr unsigned deepest = 12;
    if (depth > deepest)
      return nullptr;
    llvm::SaveAndRestore<unsigned> inside(depth, depth + 1);
    return visit(expr);
  }

  /// The integers of which `expr` is the rounded quotient. Its floor is exact:
  /// it reaches no integer that the true quotient does not.
  struct Quotient {
    const Expr *dividend, *divisor;
  };
  std::optional<Quotient> findQuotient(const Expr *expr) {
    if (expr->op != ScalarOp::DivF)
      return std::nullopt;
    const Expr *dividend = find(expr->operands[0]);
    const Expr *divisor = find(expr->operands[1]);
    if (!ifExact(dividend, expr->type) || !ifExact(divisor, expr->type) ||
        divisor->lo <= 0)
      return std::nullopt;
    return Quotient{dividend, divisor};
  }

private:
  friend ScalarVisitor;

  const Expr *visitExpr(const Expr *) { return nullptr; }
  const Expr *visitConstant(const Expr *expr) {
    APFloat value = *expr->getFloat();
    APSInt integer(64, /*isUnsigned=*/false);
    bool isIntegral = false;
    if (!value.isFinite() ||
        value.convertToInteger(integer, APFloat::rmTowardZero, &isIntegral) !=
            APFloat::opOK ||
        !isIntegral)
      return nullptr;
    // The least integer stands for a range that is not known.
    if (integer.isMinSignedValue())
      return nullptr;
    return context.integer(integer.getSExtValue());
  }
  const Expr *visitIToF(const Expr *expr) {
    return ifExact(expr->operands[0], expr->type);
  }
  const Expr *visitCast(const Expr *expr) {
    return ifExact(find(expr->operands[0]), expr->type);
  }
  const Expr *visitNegF(const Expr *expr) {
    const Expr *inner = find(expr->operands[0]);
    return inner ? context.linear({inner}, {-1}, 0) : nullptr;
  }
  const Expr *visitAbsF(const Expr *expr) {
    const Expr *inner = find(expr->operands[0]);
    return inner ? context.absI(inner) : nullptr;
  }
  const Expr *visitFloor(const Expr *expr) {
    if (std::optional<Quotient> quotient = findQuotient(expr->operands[0]))
      return context.floorDiv(quotient->dividend, quotient->divisor);
    return find(expr->operands[0]);
  }
  const Expr *visitAddF(const Expr *expr) {
    return combine(expr, &ExprContext::add);
  }
  const Expr *visitSubF(const Expr *expr) {
    return combine(expr, &ExprContext::sub);
  }
  const Expr *visitMulF(const Expr *expr) {
    return combine(expr, &ExprContext::mul);
  }
  const Expr *visitSelect(const Expr *expr) {
    const Expr *ifTrue = find(expr->operands[1]);
    const Expr *ifFalse = ifTrue ? find(expr->operands[2]) : nullptr;
    return ifFalse ? context.select(expr->operands[0], ifTrue, ifFalse)
                   : nullptr;
  }

  static const Expr *ifExact(const Expr *integer, Type type) {
    return integer && isExact(integer, type) ? integer : nullptr;
  }
  const Expr *combine(const Expr *expr,
                      const Expr *(ExprContext::*make)(const Expr *,
                                                       const Expr *)) {
    const Expr *lhs = find(expr->operands[0]);
    const Expr *rhs = lhs ? find(expr->operands[1]) : nullptr;
    return rhs ? ifExact((context.*make)(lhs, rhs), expr->type) : nullptr;
  }

  ExprContext &context;
  unsigned depth = 0;
};
} // namespace

const Expr *stof::findExactInteger(ExprContext &context, const Expr *expr) {
  return ExactInteger(context).find(expr);
}

const Expr *ExprContext::floatToInt(const Expr *operand) {
  ExactInteger reader(*this);
  if (const Expr *exact = reader.find(operand))
    return exact;
  // Truncation of a nonnegative quotient is its floor.
  if (std::optional<ExactInteger::Quotient> quotient =
          reader.findQuotient(operand);
      quotient && quotient->dividend->lo >= 0)
    return floorDiv(quotient->dividend, quotient->divisor);
  return unique(ScalarOp::FToI, indexType, {operand});
}

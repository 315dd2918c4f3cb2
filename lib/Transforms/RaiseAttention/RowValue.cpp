//===----------------------------------------------------------------------===//
// Evaluates expressions in a fully masked row.
//===----------------------------------------------------------------------===//

#include "RowValue.h"

#include "RealForm.h"
#include "stof/Scalar/ScalarFunctions.h"

using namespace mlir;
using namespace stof;

/// The exponential of this plus a typical score is zero in float32.
static constexpr double vanishing = -200;

/// Whether adding `large` in this type absorbs a typical score.
static bool absorbs(double large, Type type) {
  constexpr double typicalScore = 8;
  auto precision =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  double halfUnit = std::ldexp(1.0, std::ilogb(large) - int(precision));
  return halfUnit >= typicalScore;
}

/// Whether both are computed numbers of unknown value.
static bool areComputed(RowValue lhs, RowValue rhs) {
  auto isComputed = [](RowValue value) {
    return value.kind == RowValue::Uniform || value.kind == RowValue::Varying;
  };
  return isComputed(lhs) && isComputed(rhs);
}

/// Rounds `number` to a float type.
static double roundTo(Type type, double number) {
  if (!isa<Float16Type, BFloat16Type, Float32Type>(type))
    return number;
  APFloat rounded(number);
  bool isInexact;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &isInexact);
  return toDouble(rounded);
}

std::optional<bool> RowEvaluator::findKnown(const Expr *predicate) {
  for (bool value : {false, true}) {
    ArrayRef<const Expr *> known = value ? kept : masked;
    if (llvm::is_contained(known, predicate))
      return value;
    if (llvm::is_contained(known, context.notI(predicate)))
      return !value;
  }
  return predicate->getBool();
}

RowValue RowEvaluator::evaluate(const Expr *root) {
  walkExpr(root, [&](const Expr *expr) {
    if (!values.contains(expr))
      values[expr] = evaluateNode(expr);
  });
  return values[root];
}

/// Whether a reduction of elements `nearest` and `other` is that of the former.
static bool isReduction(ReduceKind kind, RowValue nearest, RowValue other) {
  auto isBelow = [](RowValue low, RowValue high) {
    bool areNumbers = llvm::all_of(ArrayRef{low, high}, [](RowValue value) {
      return value.kind == RowValue::Known || areComputed(value, value);
    });
    return areNumbers && low.number < high.number + vanishing;
  };
  if (nearest == other)
    return true;
  switch (kind) {
  case ReduceKind::Add:
    return other == RowValue{RowValue::Known, 0};
  case ReduceKind::Max:
    return isBelow(other, nearest);
  case ReduceKind::Min:
    return isBelow(nearest, other);
  case ReduceKind::And:
    return nearest.kind == RowValue::False;
  case ReduceKind::Or:
    return nearest.kind == RowValue::True;
  default:
    return false;
  }
}

RowValue RowEvaluator::visitReduce(const Expr *expr) {
  // In a fully masked row, the reduced elements have the same kind for all
  // keys, or for all nearest ones.
  const Expr *body = expr->getBody();
  if (matchContraction(expr))
    return product;
  ExprMap map;
  for (const Expr *bound : expr->getBound())
    map[bound] = key;
  RowValue element = evaluate(context.substitute(body, map));
  reduced[expr] = element;
  if (nearest) {
    RowValue usual = nearest->reduced.lookup(expr);
    element = isReduction(expr->getReduceKind(), usual, element)
                  ? usual
                  : RowValue{RowValue::Unclear};
  }
  if (element.kind == RowValue::Unclear)
    return element;
  switch (expr->getReduceKind()) {
  case ReduceKind::Add:
    if (element.kind == RowValue::Known &&
        (element.number == 0 || std::isnan(element.number)))
      return element;
    return {RowValue::Uniform};
  case ReduceKind::Max:
  case ReduceKind::Min:
    return element.kind == RowValue::Known
               ? element
               : RowValue{RowValue::Uniform, element.number};
  case ReduceKind::And:
  case ReduceKind::Or:
    return element;
  default:
    return {RowValue::Unclear};
  }
}

RowValue RowEvaluator::operand(const Expr *expr, unsigned number) const {
  return values.lookup(expr->operands[number]);
}

static RowValue ofBool(bool value) {
  return {value ? RowValue::True : RowValue::False};
}

RowValue RowEvaluator::known(const Expr *expr, double number) const {
  return {RowValue::Known, roundTo(expr->type, number)};
}

RowValue RowEvaluator::evaluateNode(const Expr *expr) {
  if (expr->isPredicate())
    if (std::optional<bool> value = findKnown(expr))
      return ofBool(*value);
  // Integers are evaluated only to count keys: constants, selects, reductions.
  if (std::optional<int64_t> number = expr->getInt())
    return {RowValue::Known, double(*number)};
  bool isCount = expr->op == ScalarOp::Select || expr->op == ScalarOp::Reduce;
  if (!expr->isFloat() && !expr->isPredicate() && !isCount)
    return {};
  if (std::optional<double> number = evaluateKnown(expr))
    return known(expr, *number);
  return visit(expr);
}

/// The result of a function of floats of known numbers.
std::optional<double> RowEvaluator::evaluateKnown(const Expr *expr) const {
  if (!isFloatFunction(expr->op))
    return std::nullopt;
  SmallVector<double, 2> numbers;
  for (unsigned number = 0; number < expr->operands.size(); ++number)
    if (RowValue value = operand(expr, number); value.kind == RowValue::Known)
      numbers.push_back(value.number);
  if (numbers.size() != expr->operands.size())
    return std::nullopt;
  return evaluateFloat(expr->op, numbers);
}

RowValue RowEvaluator::visitExpr(const Expr *expr) {
  // Functions of typical numbers yield typical numbers.
  bool isVarying = !expr->isPredicate() &&
                   llvm::all_of(expr->operands, [&](const Expr *from) {
                     RowValue value = values.lookup(from);
                     return value.kind == RowValue::Known
                                ? std::abs(value.number) < -vanishing
                                : areComputed(value, value);
                   });
  return {isVarying ? RowValue::Varying : RowValue::Unclear};
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

RowValue RowEvaluator::visitLogic(const Expr *expr) {
  RowValue::Kind deciding =
      expr->op == ScalarOp::And ? RowValue::False : RowValue::True;
  RowValue lhs = operand(expr, 0), rhs = operand(expr, 1);
  if (lhs.kind == deciding || rhs.kind == deciding)
    return {deciding};
  return lhs.kind == rhs.kind ? lhs : RowValue{RowValue::Unclear};
}

RowValue RowEvaluator::visitXor(const Expr *expr) {
  RowValue inner = operand(expr, 0);
  bool isNegation = expr->operands[1]->getBool() == true;
  bool isKnown = inner.kind == RowValue::True || inner.kind == RowValue::False;
  return isNegation && isKnown ? ofBool(inner.kind == RowValue::False)
                               : RowValue{RowValue::Unclear};
}

RowValue RowEvaluator::visitCmpI(const Expr *expr) {
  RowValue lhs = operand(expr, 0), rhs = operand(expr, 1);
  if (lhs.kind != RowValue::Known || rhs.kind != RowValue::Known)
    return {RowValue::Unclear};
  return ofBool(compareIntegers(expr->getIntPredicate(), int64_t(lhs.number),
                                int64_t(rhs.number)));
}

RowValue RowEvaluator::visitCmpF(const Expr *expr) {
  RowValue lhs = operand(expr, 0), rhs = operand(expr, 1);
  auto byNumber = [&]() -> RowValue {
    return ofBool(arith::applyCmpPredicate(
        expr->getFloatPredicate(), APFloat(lhs.number), APFloat(rhs.number)));
  };
  bool areKnown = lhs.kind == RowValue::Known && rhs.kind == RowValue::Known;
  if (areKnown || std::isnan(lhs.number) || std::isnan(rhs.number))
    return byNumber();
  if (lhs.kind == RowValue::Unclear || rhs.kind == RowValue::Unclear)
    return {RowValue::Unclear};
  if (lhs.kind != RowValue::Known && rhs.kind != RowValue::Known)
    return {expr->getFloatPredicate() == arith::CmpFPredicate::UNO
                ? RowValue::False
                : RowValue::Unclear};
  // Computed numbers are assumed to differ from constants, and are ordered
  // relative to constants that are far from them.
  switch (expr->getFloatPredicate()) {
  case arith::CmpFPredicate::OEQ:
  case arith::CmpFPredicate::UEQ:
  case arith::CmpFPredicate::UNO:
    return {RowValue::False};
  case arith::CmpFPredicate::ONE:
  case arith::CmpFPredicate::UNE:
  case arith::CmpFPredicate::ORD:
    return {RowValue::True};
  default:
    return std::abs(lhs.number - rhs.number) < -vanishing
               ? RowValue{RowValue::Unclear}
               : byNumber();
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

RowValue RowEvaluator::visitConstant(const Expr *expr) {
  return known(expr, toDouble(*expr->getFloat()));
}

RowValue RowEvaluator::visitElement(const Expr *expr) {
  if (expr->isPredicate())
    return {RowValue::Unclear};
  return {context.dependsOn(expr, key) ? RowValue::Varying : RowValue::Uniform};
}

RowValue RowEvaluator::visitCast(const Expr *expr) {
  RowValue value = operand(expr, 0);
  return value.kind == RowValue::Known ? known(expr, value.number) : value;
}

RowValue RowEvaluator::visitSelect(const Expr *expr) {
  if (expr->isPredicate())
    return {RowValue::Unclear};
  RowValue condition = operand(expr, 0);
  RowValue ifTrue = operand(expr, 1), ifFalse = operand(expr, 2);
  if (condition.kind == RowValue::True)
    return ifTrue;
  if (condition.kind == RowValue::False || ifTrue == ifFalse)
    return ifFalse;
  bool isShifted =
      areComputed(ifTrue, ifFalse) && ifTrue.number == ifFalse.number;
  return isShifted ? RowValue{RowValue::Varying, ifTrue.number}
                   : RowValue{RowValue::Unclear};
}

RowValue RowEvaluator::visitExp(const Expr *expr) {
  RowValue exponent = operand(expr, 0);
  bool isZero =
      exponent.kind != RowValue::Unclear && exponent.number < vanishing;
  return isZero ? known(expr, 0) : RowValue{exponent.kind};
}

RowValue RowEvaluator::visitNegF(const Expr *expr) {
  RowValue value = operand(expr, 0);
  return {value.kind, -value.number};
}

/// The result for two computed numbers, plus `number`.
static RowValue combine(RowValue lhs, RowValue rhs, double number = 0) {
  if (!areComputed(lhs, rhs))
    return {RowValue::Unclear};
  bool isVarying =
      lhs.kind == RowValue::Varying || rhs.kind == RowValue::Varying;
  return {isVarying ? RowValue::Varying : RowValue::Uniform, number};
}

RowValue RowEvaluator::add(const Expr *expr, RowValue lhs, RowValue rhs) {
  if (lhs.kind == RowValue::Known)
    std::swap(lhs, rhs);
  if (rhs.kind != RowValue::Known)
    return combine(lhs, rhs, lhs.number + rhs.number);
  if (std::isnan(rhs.number))
    return rhs;
  bool isAlone = lhs.kind == RowValue::Varying && rhs.number != 0 &&
                 absorbs(rhs.number, expr->type);
  if (std::isinf(rhs.number) || isAlone)
    return known(expr, rhs.number);
  return {lhs.kind, lhs.number + rhs.number};
}

RowValue RowEvaluator::visitSubF(const Expr *expr) {
  RowValue subtracted = operand(expr, 1);
  subtracted.number = -subtracted.number;
  return add(expr, operand(expr, 0), subtracted);
}

RowValue RowEvaluator::visitMulF(const Expr *expr) {
  RowValue value = operand(expr, 0), factor = operand(expr, 1);
  if (value.kind == RowValue::Known)
    std::swap(value, factor);
  if (factor.kind != RowValue::Known)
    return combine(value, factor);
  if (std::isnan(factor.number) || factor.number == 0)
    return factor;
  return {value.kind, value.number * factor.number};
}

RowValue RowEvaluator::visitDivF(const Expr *expr) {
  RowValue dividend = operand(expr, 0), divisor = operand(expr, 1);
  if (dividend.kind == RowValue::Known)
    return std::isnan(dividend.number) || dividend.number == 0
               ? dividend
               : RowValue{divisor.kind};
  if (divisor.kind != RowValue::Known)
    return combine(dividend, divisor);
  return std::isnan(divisor.number)
             ? divisor
             : RowValue{dividend.kind, dividend.number / divisor.number};
}

RowValue RowEvaluator::visitMaxF(const Expr *expr) {
  RowValue value = operand(expr, 0), bound = operand(expr, 1);
  if (value.kind == RowValue::Known)
    std::swap(value, bound);
  if (bound.kind != RowValue::Known)
    return combine(value, bound);
  return std::isnan(bound.number) ? bound : value;
}

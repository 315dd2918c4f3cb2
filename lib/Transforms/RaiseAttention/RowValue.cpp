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

std::optional<bool> RowEvaluator::findTruth(const Expr *truth) {
  for (bool value : {false, true}) {
    ArrayRef<const Expr *> known = value ? kept : masked;
    if (llvm::is_contained(known, truth))
      return value;
    if (llvm::is_contained(known, context.notI(truth)))
      return !value;
  }
  return truth->getTruth();
}

RowValue RowEvaluator::evaluate(const Expr *root) {
  walkExpr(root, [&](const Expr *expr) {
    if (!values.contains(expr))
      values[expr] = evaluateNode(expr);
  });
  return values[root];
}

RowValue RowEvaluator::evaluateReduce(const Expr *expr) {
  // In a fully masked row, the reduced elements have the same kind for all
  // keys.
  const Expr *body = expr->getBody();
  if (matchContraction(expr))
    return product;
  ExprMap map;
  for (const Expr *bound : expr->getBound())
    map[bound] = key;
  RowValue element = evaluate(context.substitute(body, map));
  reduced[expr] = element;
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

RowValue RowEvaluator::compare(const Expr *expr) {
  RowValue lhs = values.lookup(expr->operands[0]);
  RowValue rhs = values.lookup(expr->operands[1]);
  auto byNumber = [&]() -> RowValue {
    return {arith::applyCmpPredicate(expr->getFloatPredicate(),
                                     APFloat(lhs.number), APFloat(rhs.number))
                ? RowValue::True
                : RowValue::False};
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

/// The result of a binary operation on one known and one unknown number.
RowValue RowEvaluator::combineKnown(const Expr *expr, RowValue lhs,
                                    RowValue rhs) {
  bool isLeft = lhs.kind == RowValue::Known;
  RowValue fixed = isLeft ? lhs : rhs, other = isLeft ? rhs : lhs;
  auto known = [&](double number) {
    return RowValue{RowValue::Known, roundTo(expr->type, number)};
  };
  if (std::isnan(fixed.number))
    return fixed;
  switch (expr->op) {
  case ScalarOp::AddF:
  case ScalarOp::SubF: {
    bool isSub = expr->op == ScalarOp::SubF;
    double added = isSub && !isLeft ? -fixed.number : fixed.number;
    double number = added + (isSub && isLeft ? -other.number : other.number);
    bool isAlone = other.kind == RowValue::Varying && added != 0 &&
                   absorbs(added, expr->type);
    if (std::isinf(added) || isAlone)
      return known(added);
    return {other.kind, number};
  }
  case ScalarOp::MulF:
    return fixed.number == 0
               ? fixed
               : RowValue{other.kind, other.number * fixed.number};
  case ScalarOp::DivF:
    if (isLeft)
      return fixed.number == 0 ? fixed : RowValue{other.kind};
    return {other.kind, other.number / fixed.number};
  default:
    return other;
  }
}

RowValue RowEvaluator::evaluateNode(const Expr *expr) {
  if (expr->isTruth()) {
    if (std::optional<bool> known = findTruth(expr))
      return {*known ? RowValue::True : RowValue::False};
    if (expr->op == ScalarOp::CmpF)
      return compare(expr);
    if (expr->op == ScalarOp::CmpI) {
      RowValue lhs = values.lookup(expr->operands[0]);
      RowValue rhs = values.lookup(expr->operands[1]);
      if (lhs.kind != RowValue::Known || rhs.kind != RowValue::Known)
        return {RowValue::Unclear};
      return {compareIntegers(expr->getIntPredicate(), int64_t(lhs.number),
                              int64_t(rhs.number))
                  ? RowValue::True
                  : RowValue::False};
    }
    if (expr->op == ScalarOp::Reduce)
      return evaluateReduce(expr);
    if (expr->op == ScalarOp::And || expr->op == ScalarOp::Or) {
      RowValue::Kind deciding =
          expr->op == ScalarOp::And ? RowValue::False : RowValue::True;
      RowValue lhs = values.lookup(expr->operands[0]);
      RowValue rhs = values.lookup(expr->operands[1]);
      if (lhs.kind == deciding || rhs.kind == deciding)
        return {deciding};
      return lhs.kind == rhs.kind ? lhs : RowValue{RowValue::Unclear};
    }
    if (expr->op == ScalarOp::Xor && expr->operands[1]->getTruth() == true) {
      RowValue inner = values.lookup(expr->operands[0]);
      if (inner.kind == RowValue::True)
        return {RowValue::False};
      if (inner.kind == RowValue::False)
        return {RowValue::True};
    }
    return {RowValue::Unclear};
  }
  // Integers are evaluated only to count keys: constants, selects, reductions.
  if (std::optional<int64_t> number = expr->getInt())
    return {RowValue::Known, double(*number)};
  if (!expr->isFloat() && expr->op != ScalarOp::Select &&
      expr->op != ScalarOp::Reduce)
    return {};
  auto operand = [&](unsigned i) { return values.lookup(expr->operands[i]); };
  auto known = [&](double number) {
    return RowValue{RowValue::Known, roundTo(expr->type, number)};
  };
  if (isFloatFunction(expr->op)) {
    SmallVector<double, 2> numbers;
    for (const Expr *from : expr->operands)
      if (RowValue value = values.lookup(from); value.kind == RowValue::Known)
        numbers.push_back(value.number);
    if (numbers.size() == expr->operands.size())
      return known(evaluateFloat(expr->op, numbers));
  }
  switch (expr->op) {
  case ScalarOp::Constant:
    return known(toDouble(*expr->getFloat()));
  case ScalarOp::Cast:
    return operand(0).kind == RowValue::Known ? known(operand(0).number)
                                              : operand(0);
  case ScalarOp::Select:
    if (operand(0).kind == RowValue::True)
      return operand(1);
    if (operand(0).kind == RowValue::False || operand(1) == operand(2))
      return operand(2);
    return areComputed(operand(1), operand(2)) &&
                   operand(1).number == operand(2).number
               ? RowValue{RowValue::Varying, operand(1).number}
               : RowValue{RowValue::Unclear};
  case ScalarOp::Reduce:
    return evaluateReduce(expr);
  case ScalarOp::Exp:
  case ScalarOp::Exp2:
    if (operand(0).number < vanishing)
      return known(0);
    return {operand(0).kind};
  case ScalarOp::Log:
    return {operand(0).kind};
  case ScalarOp::NegF:
    return {operand(0).kind, -operand(0).number};
  case ScalarOp::AddF:
  case ScalarOp::SubF:
  case ScalarOp::MulF:
  case ScalarOp::DivF:
  case ScalarOp::MaxF:
  case ScalarOp::MinF: {
    RowValue lhs = operand(0), rhs = operand(1);
    if (lhs.kind == RowValue::Known || rhs.kind == RowValue::Known)
      return combineKnown(expr, lhs, rhs);
    if (!areComputed(lhs, rhs))
      return {RowValue::Unclear};
    RowValue::Kind kind =
        lhs.kind == RowValue::Varying || rhs.kind == RowValue::Varying
            ? RowValue::Varying
            : RowValue::Uniform;
    if (expr->op == ScalarOp::AddF)
      return {kind, lhs.number + rhs.number};
    if (expr->op == ScalarOp::SubF)
      return {kind, lhs.number - rhs.number};
    return {kind};
  }
  case ScalarOp::Element:
    return {context.dependsOn(expr, key) ? RowValue::Varying
                                         : RowValue::Uniform};
  case ScalarOp::IToF:
    return operand(0).kind == RowValue::Known ? known(operand(0).number)
                                              : operand(0);
  default:
    return {llvm::all_of(expr->operands,
                         [&](const Expr *from) {
                           RowValue value = values.lookup(from);
                           return areComputed(value, value);
                         })
                ? RowValue::Varying
                : RowValue::Unclear};
  }
}

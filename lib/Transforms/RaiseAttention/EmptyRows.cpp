//===----------------------------------------------------------------------===//
// What a softmax makes of a row whose keys are all masked: the weight, in the
// arithmetic of the source, over a few kinds of numbers.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// What is known of a number in a row whose keys are all masked.
struct RowValue {
  enum Kind {
    Known,   // this number
    Uniform, // some positive or unknown number, the same for all keys
    Varying, // as the scores do
    True,
    False,
    Unclear
  } kind = Varying;
  double number = 0;
};

class RowEvaluator {
public:
  RowEvaluator(ExprContext &context, ArrayRef<const Expr *> keeps,
               const Expr *key)
      : context(context), key(key), dropped(keeps) {}

  RowValue evaluate(const Expr *root);

private:
  RowValue evaluateNode(const Expr *expr);
  RowValue evaluateReduce(const Expr *expr);
  RowValue compare(const Expr *expr);
  bool isDropped(const Expr *truth) {
    return llvm::is_contained(dropped, truth);
  }

  ExprContext &context;
  const Expr *key;
  SmallVector<const Expr *> dropped;
  DenseMap<const Expr *, RowValue> values;
};
} // namespace

/// Whether adding `large` in this type leaves no trace of a usual score.
static bool absorbs(double large, Type type) {
  constexpr double usualScore = 8;
  auto precision =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  double halfUnit = std::ldexp(1.0, std::ilogb(large) - int(precision));
  return halfUnit >= usualScore;
}

RowValue RowEvaluator::evaluate(const Expr *root) {
  walkExpr(root, [&](const Expr *expr) {
    if (!values.contains(expr))
      values[expr] = evaluateNode(expr);
  });
  return values[root];
}

RowValue RowEvaluator::evaluateReduce(const Expr *expr) {
  // In a row with no key the elements that are reduced are those of any key.
  const Expr *body = expr->getBody();
  if (matchContraction(expr))
    return {RowValue::Varying};
  ExprMap map;
  for (const Expr *bound : expr->getBound())
    map[bound] = key;
  RowValue element = evaluate(context.substitute(body, map));
  switch (expr->getReduceKind()) {
  case ReduceKind::Add:
    if (element.kind == RowValue::Known &&
        (element.number == 0 || std::isnan(element.number)))
      return element;
    return {RowValue::Uniform};
  case ReduceKind::Max:
  case ReduceKind::Min:
    return element.kind == RowValue::Known ? element
                                           : RowValue{RowValue::Uniform};
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
  if (lhs.kind == RowValue::Known && rhs.kind == RowValue::Known)
    return {arith::applyCmpPredicate(expr->getFloatPredicate(),
                                     APFloat(lhs.number), APFloat(rhs.number))
                ? RowValue::True
                : RowValue::False};
  // Finite scores are not infinite.
  bool isEqual = expr->getFloatPredicate() == arith::CmpFPredicate::OEQ ||
                 expr->getFloatPredicate() == arith::CmpFPredicate::UEQ;
  if (isEqual && rhs.kind == RowValue::Known && std::isinf(rhs.number))
    return {RowValue::False};
  if (expr->getFloatPredicate() == arith::CmpFPredicate::UNO)
    return {RowValue::False};
  return {RowValue::Unclear};
}

RowValue RowEvaluator::evaluateNode(const Expr *expr) {
  if (expr->isTruth()) {
    if (isDropped(expr))
      return {RowValue::False};
    if (isDropped(context.notI(expr)))
      return {RowValue::True};
    if (std::optional<bool> known = expr->getTruth())
      return {*known ? RowValue::True : RowValue::False};
    if (expr->op == ScalarOp::CmpF)
      return compare(expr);
    if (expr->op == ScalarOp::CmpI) {
      RowValue lhs = values.lookup(expr->operands[0]);
      RowValue rhs = values.lookup(expr->operands[1]);
      if (lhs.kind != RowValue::Known || rhs.kind != RowValue::Known)
        return {RowValue::Unclear};
      auto toInt = [](RowValue value) {
        return APInt(64, int64_t(value.number), /*isSigned=*/true);
      };
      return {arith::applyCmpPredicate(expr->getIntPredicate(), toInt(lhs),
                                       toInt(rhs))
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
  // Of integers only what counts keys: constants chosen and reduced.
  if (std::optional<int64_t> number = expr->getInt())
    return {RowValue::Known, double(*number)};
  if (!expr->isFloat() && expr->op != ScalarOp::Select &&
      expr->op != ScalarOp::Reduce)
    return {};
  auto operand = [&](unsigned i) { return values.lookup(expr->operands[i]); };
  auto known = [](double number) { return RowValue{RowValue::Known, number}; };
  switch (expr->op) {
  case ScalarOp::Constant:
    return known(toDouble(*expr->getFloat()));
  case ScalarOp::Cast:
    return operand(0);
  case ScalarOp::Select:
    if (operand(0).kind == RowValue::True)
      return operand(1);
    if (operand(0).kind == RowValue::False)
      return operand(2);
    return operand(2);
  case ScalarOp::Reduce:
    return evaluateReduce(expr);
  case ScalarOp::Exp:
  case ScalarOp::Exp2:
    if (operand(0).kind == RowValue::Known)
      return known(expr->op == ScalarOp::Exp ? std::exp(operand(0).number)
                                             : std::exp2(operand(0).number));
    return operand(0);
  case ScalarOp::Log:
    if (operand(0).kind == RowValue::Known)
      return known(std::log(operand(0).number));
    return operand(0);
  case ScalarOp::NegF:
    return operand(0).kind == RowValue::Known ? known(-operand(0).number)
                                              : operand(0);
  case ScalarOp::AddF:
  case ScalarOp::SubF:
  case ScalarOp::MulF:
  case ScalarOp::DivF:
  case ScalarOp::MaxF:
  case ScalarOp::MinF: {
    RowValue lhs = operand(0), rhs = operand(1);
    if (lhs.kind == RowValue::Known && rhs.kind == RowValue::Known) {
      double a = lhs.number, b = rhs.number;
      switch (expr->op) {
      case ScalarOp::AddF:
        return known(a + b);
      case ScalarOp::SubF:
        return known(a - b);
      case ScalarOp::MulF:
        return known(a * b);
      case ScalarOp::DivF:
        return known(a / b);
      case ScalarOp::MaxF:
        return known(std::max(a, b));
      default:
        return known(std::min(a, b));
      }
    }
    RowValue fixed = lhs.kind == RowValue::Known ? lhs : rhs;
    RowValue other = lhs.kind == RowValue::Known ? rhs : lhs;
    if (fixed.kind == RowValue::Known) {
      bool additive = expr->op == ScalarOp::AddF || expr->op == ScalarOp::SubF;
      double sign =
          expr->op == ScalarOp::SubF && rhs.kind == RowValue::Known ? -1 : 1;
      if (additive && std::isinf(fixed.number))
        return known(sign * fixed.number);
      if (additive && other.kind == RowValue::Varying && fixed.number != 0 &&
          absorbs(fixed.number, expr->type))
        return known(sign * fixed.number);
      if (std::isnan(fixed.number))
        return fixed;
      if (expr->op == ScalarOp::MulF && fixed.number == 0)
        return fixed;
      if (expr->op == ScalarOp::DivF && lhs.kind == RowValue::Known &&
          lhs.number == 0)
        return lhs;
      if (expr->op == ScalarOp::MaxF && fixed.number == -infinity)
        return other;
      return other;
    }
    if (lhs.kind == RowValue::Varying || rhs.kind == RowValue::Varying)
      return {RowValue::Varying};
    return {RowValue::Uniform};
  }
  case ScalarOp::Element:
    return {context.dependsOn(expr, key) ? RowValue::Varying
                                         : RowValue::Uniform};
  default:
    return {RowValue::Varying};
  }
}

EmptyRow stof::evaluateEmptyRow(ExprContext &context, const Expr *weight,
                                ArrayRef<const Expr *> keeps, const Expr *key) {
  RowValue value = RowEvaluator(context, keeps, key).evaluate(weight);
  switch (value.kind) {
  case RowValue::Known:
    if (value.number == 0)
      return EmptyRow::Zero;
    return std::isnan(value.number) ? EmptyRow::NaN : EmptyRow::Mean;
  case RowValue::Uniform:
    return EmptyRow::Mean;
  default:
    return EmptyRow::Unmasked;
  }
}

//===----------------------------------------------------------------------===//
// Splits a score into what is computed and what is masked, by Shannon's
// cofactors: the score with a condition true, and false.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"

#include <cmath>

using namespace mlir;
using namespace stof;

/// exp of less than this is zero in float32.
static constexpr double underflow = -104;
/// Numbers this far apart are meant as a mask.
static constexpr double farApart = 500;
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static double toDouble(const APFloat &value) {
  APFloat copy = value;
  bool inexact;
  copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return copy.convertToDouble();
}

static RealRange multiply(RealRange a, RealRange b) {
  double lo = infinity, hi = -infinity;
  for (double x : {a.lo, a.hi})
    for (double y : {b.lo, b.hi}) {
      double product = x == 0 || y == 0 ? 0 : x * y;
      lo = std::min(lo, product);
      hi = std::max(hi, product);
    }
  return {lo, hi};
}

RealRange stof::rangeOf(const Expr *root, const Expr *score, double bound) {
  DenseMap<const Expr *, RealRange> ranges;
  walkExpr(root, [&](const Expr *expr) {
    auto operand = [&](unsigned i) { return ranges.lookup(expr->operands[i]); };
    RealRange range{-bound, bound};
    if (expr == score || !expr->isFloat()) {
      ranges[expr] = range;
      return;
    }
    switch (expr->op) {
    case ScalarOp::Constant: {
      double value = toDouble(*expr->getFloat());
      range = {value, value};
      break;
    }
    case ScalarOp::Cast:
      range = operand(0);
      break;
    case ScalarOp::IToF:
      range = {expr->operands[0]->lo == Expr::minInt
                   ? -infinity
                   : double(expr->operands[0]->lo),
               expr->operands[0]->hi == Expr::maxInt
                   ? infinity
                   : double(expr->operands[0]->hi)};
      break;
    case ScalarOp::Select:
      range = {std::min(operand(1).lo, operand(2).lo),
               std::max(operand(1).hi, operand(2).hi)};
      break;
    case ScalarOp::AddF:
      range = {operand(0).lo + operand(1).lo, operand(0).hi + operand(1).hi};
      break;
    case ScalarOp::SubF:
      range = {operand(0).lo - operand(1).hi, operand(0).hi - operand(1).lo};
      break;
    case ScalarOp::MulF:
      range = multiply(operand(0), operand(1));
      break;
    case ScalarOp::DivF: {
      RealRange divisor = operand(1);
      if (divisor.lo > 0 || divisor.hi < 0)
        range = multiply(operand(0), {1 / divisor.hi, 1 / divisor.lo});
      else
        range = {-infinity, infinity};
      break;
    }
    case ScalarOp::NegF:
      range = {-operand(0).hi, -operand(0).lo};
      break;
    case ScalarOp::MaxF:
      range = {std::max(operand(0).lo, operand(1).lo),
               std::max(operand(0).hi, operand(1).hi)};
      break;
    case ScalarOp::MinF:
      range = {std::min(operand(0).lo, operand(1).lo),
               std::min(operand(0).hi, operand(1).hi)};
      break;
    case ScalarOp::AbsF:
      range = {0, std::max(std::abs(operand(0).lo), std::abs(operand(0).hi))};
      break;
    case ScalarOp::Tanh:
      range = {-1, 1};
      break;
    case ScalarOp::Exp:
      range = {std::exp(operand(0).lo), std::exp(operand(0).hi)};
      break;
    case ScalarOp::Exp2:
      range = {std::exp2(operand(0).lo), std::exp2(operand(0).hi)};
      break;
    default:
      break;
    }
    if (std::isnan(range.lo))
      range.lo = -infinity;
    if (std::isnan(range.hi))
      range.hi = infinity;
    ranges[expr] = range;
  });
  return ranges.lookup(root);
}

/// Whether the range of the expression follows from what it computes, whatever
/// the score and the tensors hold.
static bool isRangeProven(const Expr *root, const Expr *score) {
  RealRange free = rangeOf(root, score, infinity);
  return std::isfinite(free.lo) && std::isfinite(free.hi);
}

//===----------------------------------------------------------------------===//
// Cofactors
//===----------------------------------------------------------------------===//

/// The conditions that choose between floats, in the order of their making.
static SmallVector<const Expr *> getConditions(const Expr *root) {
  SmallVector<const Expr *> conditions;
  walkExpr(root, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Select && expr->isFloat() &&
        !llvm::is_contained(conditions, expr->operands[0]))
      conditions.push_back(expr->operands[0]);
  });
  return conditions;
}

SplitScore stof::splitMask(ExprContext &context, const Expr *root,
                           const Expr *score, double bound) {
  SplitScore split;
  auto cofactor = [&](const Expr *expr, const Expr *condition, bool value) {
    return context.substitute(expr, ExprMap{{condition, context.truth(value)}});
  };
  // First every choice between numbers far apart goes to the higher one: that
  // is the score of a kept key.
  SmallVector<std::pair<const Expr *, bool>> choices;
  const Expr *kept = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Expr *condition : getConditions(kept)) {
      const Expr *ifTrue = cofactor(kept, condition, true);
      const Expr *ifFalse = cofactor(kept, condition, false);
      double gap =
          rangeOf(ifTrue, score, bound).hi - rangeOf(ifFalse, score, bound).hi;
      if (!(std::abs(gap) > farApart))
        continue;
      choices.push_back({condition, gap > 0});
      kept = gap > 0 ? ifTrue : ifFalse;
      changed = true;
      break;
    }
  }
  split.isProven = isRangeProven(kept, score);
  RealRange range = rangeOf(kept, score, bound);
  if (!split.isProven)
    range = {std::max(range.lo, -bound), std::min(range.hi, bound)};
  split.range = range;

  // Then each of them must be low enough on its own.
  SmallVector<std::pair<const Expr *, bool>> refused;
  RealSum keptSum = RealSum::of(kept);
  for (auto [condition, value] : choices) {
    const Expr *masked = cofactor(root, condition, !value);
    for (auto [other, otherValue] : choices)
      if (other != condition)
        masked = cofactor(masked, other, otherValue);
    RealSum sum = RealSum::of(masked);
    double high, number;
    MaskCondition::Kind kind = MaskCondition::Added;
    double shift = sum.constant - keptSum.constant;
    sum.constant = keptSum.constant;
    if (sum.isEqual(keptSum)) {
      high = range.hi + shift;
      number = shift;
    } else {
      RealRange low = rangeOf(masked, score, bound);
      high = low.hi;
      number = low.hi;
      if (low.lo == low.hi)
        kind = MaskCondition::Filled;
    }
    if (high == -infinity)
      kind = MaskCondition::Infinite;
    if (high == -infinity || high < range.lo + underflow) {
      const Expr *keep = value ? condition : context.notI(condition);
      split.masks.push_back({keep, kind, number});
    } else {
      refused.push_back({condition, value});
      split.refused = number;
    }
  }
  const Expr *clean = root;
  for (auto [condition, value] : choices)
    if (!llvm::is_contained(refused, std::pair(condition, value)))
      clean = cofactor(clean, condition, value);
  split.score = clean;
  return split;
}

//===----------------------------------------------------------------------===//
// Rows with no key
//===----------------------------------------------------------------------===//

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
  if (!expr->isFloat())
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

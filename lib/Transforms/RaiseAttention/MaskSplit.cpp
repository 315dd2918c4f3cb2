//===----------------------------------------------------------------------===//
// Splits a score into score and mask by Shannon's cofactors, i.e. the score
// with a condition true and with it false.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"

#include "stof/Scalar/ScalarFunctions.h"

#include <cmath>

using namespace mlir;
using namespace stof;

/// exp underflows to zero in float32 below this.
static constexpr double underflow = -104;
/// The minimum difference between the cofactors of a mask candidate.
static constexpr double farApart = 500;
/// Integer bounds of this magnitude are due to types and not informative.
static constexpr int64_t largestInteger = int64_t{1} << 53;
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

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

bool stof::isBounded(const Expr *integer) {
  return integer->lo > -largestInteger && integer->hi < largestInteger;
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
      if (expr->operands[0]->lo > -largestInteger)
        range.lo = double(expr->operands[0]->lo);
      if (expr->operands[0]->hi < largestInteger)
        range.hi = double(expr->operands[0]->hi);
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

/// Whether the range of the expression is finite for arbitrary contents of the
/// score and the tensors.
static bool isRangeProven(const Expr *root, const Expr *score) {
  RealRange free = rangeOf(root, score, infinity);
  return std::isfinite(free.lo) && std::isfinite(free.hi);
}

//===----------------------------------------------------------------------===//
// Cofactors
//===----------------------------------------------------------------------===//

/// The conditions of float selects, in the order of traversal.
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
  // Replace each select of numbers that differ widely by the higher one, which
  // gives the score of an unmasked key.
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

  // Each lower number must be low enough on its own.
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
      kind = low.lo == low.hi ? MaskCondition::Filled : MaskCondition::Replaced;
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

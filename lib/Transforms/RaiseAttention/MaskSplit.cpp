//===----------------------------------------------------------------------===//
// Splits a score into score and mask by Shannon's cofactors, i.e. the score
// with a condition true and with it false.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"

#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarVisitor.h"

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

bool stof::isBounded(const Expr *integer) {
  return integer->lo > -largestInteger && integer->hi < largestInteger;
}

namespace {
/// The ranges of nodes, of which those of their operands are known.
class RangeFinder : public ScalarVisitor<RangeFinder, RealRange> {
public:
  RangeFinder(const Expr *score, double bound) : score(score), bound(bound) {}

  RealRange find(const Expr *root) {
    walkExpr(root, [&](const Expr *expr) {
      bool isOpen = expr == score || !expr->isFloat();
      ranges[expr] = isOpen ? visitExpr(expr) : visit(expr);
    });
    return get(root);
  }

private:
  friend ScalarVisitor;

  RealRange get(const Expr *expr) { return ranges.lookup(expr); }

  RealRange visitExpr(const Expr *) { return {-bound, bound}; }
  RealRange visitConstant(const Expr *expr) {
    double value = toDouble(*expr->getFloat());
    return std::isnan(value) ? RealRange{-infinity, infinity}
                             : RealRange{value, value};
  }
  RealRange visitCast(const Expr *expr) { return get(expr->operands[0]); }
  RealRange visitIToF(const Expr *expr) {
    const Expr *integer = expr->operands[0];
    return {integer->lo > -largestInteger ? double(integer->lo) : -bound,
            integer->hi < largestInteger ? double(integer->hi) : bound};
  }
  RealRange visitSelect(const Expr *expr) {
    RealRange ifTrue = get(expr->operands[1]), ifFalse = get(expr->operands[2]);
    return {std::min(ifTrue.lo, ifFalse.lo), std::max(ifTrue.hi, ifFalse.hi)};
  }
  RealRange visitFloat(const Expr *expr) {
    return inferRange(expr->op, llvm::map_to_vector<2>(
                                    expr->operands, [&](const Expr *operand) {
                                      return get(operand);
                                    }));
  }

  const Expr *score;
  double bound;
  DenseMap<const Expr *, RealRange> ranges;
};
} // namespace

RealRange stof::rangeOf(const Expr *root, const Expr *score, double bound) {
  return RangeFinder(score, bound).find(root);
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
    return context.substitute(expr,
                              ExprMap{{condition, context.boolean(value)}});
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

//===----------------------------------------------------------------------===//
// Result of a softmax for fully masked rows.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"
#include "RowValue.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static std::optional<EmptyRows> toEmptyRows(RowValue weight) {
  switch (weight.kind) {
  case RowValue::Known:
    if (weight.number == 0)
      return EmptyRows::Zero;
    return std::isnan(weight.number) ? EmptyRows::NaN : EmptyRows::Mean;
  case RowValue::Uniform:
    return EmptyRows::Mean;
  case RowValue::Varying:
    return EmptyRows::Unmasked;
  default:
    return std::nullopt;
  }
}

/// The values of mask predicates for a key that is masked by `masked` but not
/// by `kept`.
static ExprMap decideMasks(ExprContext &context, ArrayRef<const Expr *> masked,
                           ArrayRef<const Expr *> kept) {
  ExprMap known;
  for (bool value : {false, true})
    for (const Expr *keep : value ? kept : masked) {
      known[keep] = context.boolean(value);
      known[context.notI(keep)] = context.boolean(!value);
    }
  return known;
}

/// Whether `masked` being false implies that a predicate of `kept` is false.
static bool isContradiction(ExprContext &context, ArrayRef<const Expr *> masked,
                            ArrayRef<const Expr *> kept) {
  ExprMap known = decideMasks(context, masked, {});
  return llvm::any_of(kept, [&](const Expr *keep) {
    return context.substitute(keep, known)->getBool() == false;
  });
}

/// The limit on the number of masks, whose subsets are enumerated.
static constexpr unsigned mostMasks = 6;

/// Calls `visit` with every nonempty subset of the masks that may mask a key,
/// and its complement, until that returns false.
static bool
forEachWayToMask(ExprContext &context, ArrayRef<const Expr *> keeps,
                 function_ref<bool(SmallVector<const Expr *> &masked,
                                   ArrayRef<const Expr *> kept)>
                     visit) {
  if (keeps.size() > mostMasks)
    return false;
  for (unsigned bits = 1u << keeps.size(); --bits;) {
    SmallVector<const Expr *> masked, kept;
    for (auto [i, keep] : llvm::enumerate(keeps))
      (bits >> i & 1 ? masked : kept).push_back(keep);
    if (!isContradiction(context, masked, kept) && !visit(masked, kept))
      return false;
  }
  return true;
}

std::optional<EmptyRows> stof::evaluateEmptyRow(ExprContext &context,
                                                const Expr *weight,
                                                ArrayRef<const Expr *> keeps,
                                                const Expr *key) {
  const Expr *all = context.boolean(true);
  for (const Expr *keep : keeps)
    all = context.andI(all, keep);
  // Keys may be masked by different subsets of the masks, so the reduced values
  // must be the same for all subsets.
  std::optional<RowEvaluator> first;
  RowValue result;
  bool areSame = forEachWayToMask(
      context, keeps,
      [&](SmallVector<const Expr *> &masked, ArrayRef<const Expr *> kept) {
        masked.push_back(all);
        RowEvaluator evaluator(context, key, masked, kept);
        RowValue value = evaluator.evaluate(weight);
        if (!first) {
          first.emplace(std::move(evaluator));
          result = value;
          return true;
        }
        return llvm::all_of(evaluator.reduced, [&](const auto &element) {
          return first->reduced.lookup(element.first) == element.second;
        });
      });
  if (!areSame)
    return std::nullopt;
  return toEmptyRows(result);
}

std::optional<EmptyRows> stof::evaluateInfiniteRow(ExprContext &context,
                                                   const Expr *weight,
                                                   ArrayRef<const Expr *> keeps,
                                                   const Expr *key,
                                                   double product) {
  RowEvaluator evaluator(context, key, /*masked=*/{}, keeps,
                         {RowValue::Known, product});
  return toEmptyRows(evaluator.evaluate(weight));
}

bool stof::isShiftedByMasks(ExprContext &context, const Expr *score,
                            const Expr *kept, ArrayRef<const Expr *> keeps) {
  RealSum usual = RealSum::of(kept);
  return forEachWayToMask(
      context, keeps,
      [&](ArrayRef<const Expr *> masked, ArrayRef<const Expr *> others) {
        RealSum sum = RealSum::of(
            context.substitute(score, decideMasks(context, masked, others)));
        sum.constant = usual.constant;
        return sum.isEqual(usual);
      });
}

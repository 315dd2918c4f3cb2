//===----------------------------------------------------------------------===//
// What a softmax makes of a row whose keys are all masked.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"
#include "RowValue.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static std::optional<EmptyRow> toEmptyRow(RowValue weight) {
  switch (weight.kind) {
  case RowValue::Known:
    if (weight.number == 0)
      return EmptyRow::Zero;
    return std::isnan(weight.number) ? EmptyRow::NaN : EmptyRow::Mean;
  case RowValue::Uniform:
    return EmptyRow::Mean;
  case RowValue::Varying:
    return EmptyRow::Unmasked;
  default:
    return std::nullopt;
  }
}

/// What the truth values are where some masks drop a key and others keep it.
static ExprMap decideMasks(ExprContext &context, ArrayRef<const Expr *> dropped,
                           ArrayRef<const Expr *> kept) {
  ExprMap known;
  for (bool value : {false, true})
    for (const Expr *keep : value ? kept : dropped) {
      known[keep] = context.truth(value);
      known[context.notI(keep)] = context.truth(!value);
    }
  return known;
}

/// Whether what is dropped says that something kept is dropped as well.
static bool isContradiction(ExprContext &context,
                            ArrayRef<const Expr *> dropped,
                            ArrayRef<const Expr *> kept) {
  ExprMap known = decideMasks(context, dropped, {});
  return llvm::any_of(kept, [&](const Expr *keep) {
    return context.substitute(keep, known)->getTruth() == false;
  });
}

/// More masks than this are not looked at.
static constexpr unsigned mostMasks = 6;

/// Calls `visit` with every division of the masks into those that drop a key,
/// at least one, and those that keep it, until that returns false.
static bool
forEachWayToDrop(ExprContext &context, ArrayRef<const Expr *> keeps,
                 function_ref<bool(SmallVector<const Expr *> &dropped,
                                   ArrayRef<const Expr *> kept)>
                     visit) {
  if (keeps.size() > mostMasks)
    return false;
  for (unsigned bits = 1u << keeps.size(); --bits;) {
    SmallVector<const Expr *> dropped, kept;
    for (auto [i, keep] : llvm::enumerate(keeps))
      (bits >> i & 1 ? dropped : kept).push_back(keep);
    if (!isContradiction(context, dropped, kept) && !visit(dropped, kept))
      return false;
  }
  return true;
}

std::optional<EmptyRow> stof::evaluateEmptyRow(ExprContext &context,
                                               const Expr *weight,
                                               ArrayRef<const Expr *> keeps,
                                               const Expr *key) {
  const Expr *all = context.truth(true);
  for (const Expr *keep : keeps)
    all = context.andI(all, keep);
  // Each key is dropped by some of the masks: whichever they are, the numbers
  // that are reduced have to be the same.
  std::optional<RowEvaluator> first;
  RowValue result;
  bool areSame = forEachWayToDrop(
      context, keeps,
      [&](SmallVector<const Expr *> &dropped, ArrayRef<const Expr *> kept) {
        dropped.push_back(all);
        RowEvaluator evaluator(context, key, dropped, kept);
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
  return toEmptyRow(result);
}

std::optional<EmptyRow> stof::evaluateInfiniteRow(ExprContext &context,
                                                  const Expr *weight,
                                                  ArrayRef<const Expr *> keeps,
                                                  const Expr *key,
                                                  double product) {
  RowEvaluator evaluator(context, key, /*dropped=*/{}, keeps,
                         {RowValue::Known, product});
  return toEmptyRow(evaluator.evaluate(weight));
}

bool stof::isShiftedByMasks(ExprContext &context, const Expr *score,
                            const Expr *kept, ArrayRef<const Expr *> keeps) {
  RealSum usual = RealSum::of(kept);
  return forEachWayToDrop(
      context, keeps,
      [&](ArrayRef<const Expr *> dropped, ArrayRef<const Expr *> others) {
        RealSum sum = RealSum::of(
            context.substitute(score, decideMasks(context, dropped, others)));
        sum.constant = usual.constant;
        return sum.isEqual(usual);
      });
}

//===----------------------------------------------------------------------===//
// Splits a score into score and mask, and evaluates fully masked rows.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_MASKSPLIT_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_MASKSPLIT_H

#include "RealForm.h"
#include "stof/IR/Stof.h"
#include "stof/Scalar/ScalarRange.h"

namespace stof {

/// Whether the range of an integer is narrower than that of its type.
bool isBounded(const Expr *integer);

/// The range of a real expression, if magnitudes of `score` and of tensor
/// elements are at most `bound`.
RealRange rangeOf(const Expr *root, const Expr *score, double bound);

/// One condition of a mask and its form in the source.
struct MaskCondition {
  /// Replaced: a number replaces a part of the score.
  enum Kind { Infinite, Filled, Added, Replaced };
  const Expr *keep;
  Kind kind;
  /// The number filled in or added, or the maximum of the replaced score.
  double value;
};

struct SplitScore {
  /// The score of unmasked keys.
  const Expr *score = nullptr;
  llvm::SmallVector<MaskCondition> masks;
  /// The range of the score, by proof or by assumption.
  RealRange range{};
  bool isProven = false;
  /// The lower number of a select that is not a mask under the assumed bound,
  /// for the remark.
  std::optional<double> refused;
};

/// Splits `root` into score and mask. A condition is a mask if the score for
/// one of its values is so low that its exponential is zero next to any
/// unmasked score. Magnitudes of scores are assumed to be at most `bound` where
/// no range is proven.
SplitScore splitMask(ExprContext &context, const Expr *root, const Expr *score,
                     double bound);

/// What a fully masked row yields.
struct EmptyRow {
  EmptyRows kind;
  /// The keys that it is over, as a predicate on masked keys; null for all.
  const Expr *keep = nullptr;
};

/// The weights `weight` of a fully masked row, in the arithmetic of the source.
/// If they depend on which of the masks mask a key, those of all keys but the
/// nearest must vanish; otherwise nothing. `key` is the variable of the keys.
std::optional<EmptyRow> evaluateEmptyRow(ExprContext &context,
                                         const Expr *weight,
                                         llvm::ArrayRef<const Expr *> keeps,
                                         const Expr *key);

/// The same in a row of unmasked keys whose contractions are all `product`, an
/// infinite number.
std::optional<EmptyRows> evaluateInfiniteRow(ExprContext &context,
                                             const Expr *weight,
                                             llvm::ArrayRef<const Expr *> keeps,
                                             const Expr *key, double product);

/// Whether `score` of a masked key is `kept`, its score without masks, plus a
/// number, for any of the masks that may mask a key of `row`. Fully masked rows
/// are then the softmax of the scores without masks.
bool isShiftedByMasks(ExprContext &context, const Expr *score, const Expr *kept,
                      llvm::ArrayRef<const Expr *> keeps, const EmptyRow &row);

/// Whether `condition`, the same for all keys, is false in every row with a key
/// for which all `keeps` are true, by the ranges of compared numbers for scores
/// of magnitudes of at most `bound`.
bool isFalseWithUnmaskedKey(ExprContext &context, const Expr *condition,
                            llvm::ArrayRef<const Expr *> keeps, const Expr *key,
                            double bound);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_MASKSPLIT_H

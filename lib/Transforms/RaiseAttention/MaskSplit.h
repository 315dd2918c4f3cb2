//===----------------------------------------------------------------------===//
// Splits a score into what is computed and what is masked.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_MASKSPLIT_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_MASKSPLIT_H

#include "RealForm.h"

namespace stof {

/// A range of real numbers.
struct RealRange {
  double lo, hi;
};

/// Whether the range of an integer says more than its type.
bool isBounded(const Expr *integer);

/// The range of a real expression where `score` and every tensor element that
/// is read lie within `bound` of zero.
RealRange rangeOf(const Expr *root, const Expr *score, double bound);

/// One condition of a mask and how the source writes it.
struct MaskCondition {
  /// Replaced: a number stands where a part of the score would.
  enum Kind { Infinite, Filled, Added, Replaced };
  const Expr *keep;
  Kind kind;
  /// The number that is filled in or added, or the most that is left.
  double value;
};

struct SplitScore {
  /// The score where every condition keeps the key.
  const Expr *score = nullptr;
  llvm::SmallVector<MaskCondition> masks;
  /// The range of the score, by proof or by assumption.
  RealRange range{};
  bool isProven = false;
  /// A choice between numbers far apart that is no mask under the assumed
  /// bound: the lower number, for the remark.
  std::optional<double> refused;
};

/// Takes one condition after the other: where the score with the condition one
/// way is so low that its exponential is zero beside any kept score, it is a
/// mask. Magnitudes of scores that cannot be proven are taken to be at most
/// `bound`.
SplitScore splitMask(ExprContext &context, const Expr *root, const Expr *score,
                     double bound);

/// What a softmax whose every key is masked makes of the weight.
enum class EmptyRow { Zero, NaN, Mean, Unmasked };

/// Evaluates `weight`, in the arithmetic of the source, in a row each of whose
/// keys is dropped by one of the masks or by several; nothing where it matters
/// which they are. `key` is the variable of the keys.
std::optional<EmptyRow> evaluateEmptyRow(ExprContext &context,
                                         const Expr *weight,
                                         llvm::ArrayRef<const Expr *> keeps,
                                         const Expr *key);

/// The same in a row that keeps keys, all of whose products are `product`, an
/// infinite number.
std::optional<EmptyRow> evaluateInfiniteRow(ExprContext &context,
                                            const Expr *weight,
                                            llvm::ArrayRef<const Expr *> keeps,
                                            const Expr *key, double product);

/// Whether `score`, where any of the masks drop a key, is `kept`, its score if
/// none did, and a number: then rows each of whose keys is dropped are the
/// softmax of what they would be without masks.
bool isShiftedByMasks(ExprContext &context, const Expr *score, const Expr *kept,
                      llvm::ArrayRef<const Expr *> keeps);

/// Whether `condition`, the same for all keys, is false in every row in which
/// all `keeps` hold of some key: by the ranges of what it compares, where
/// scores are at most `bound`.
bool isFalseBesideKey(ExprContext &context, const Expr *condition,
                      llvm::ArrayRef<const Expr *> keeps, const Expr *key,
                      double bound);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_MASKSPLIT_H

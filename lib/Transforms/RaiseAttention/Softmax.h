//===----------------------------------------------------------------------===//
// Proves that a weight w(k) is a softmax over k.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_SOFTMAX_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_SOFTMAX_H

#include "RealForm.h"

namespace stof {

/// w(k) = [conditions] exp(score(k)) / (sum_k' [conditions] exp(score(k')) +
/// exp(sink)).
struct Softmax {
  /// Real, dependent on the key; what all keys share has cancelled.
  const Expr *score = nullptr;
  /// Truth values; where one is false the weight is zero.
  llvm::SmallVector<const Expr *> conditions;
  /// The logit that joins the denominator alone, or null.
  const Expr *sink = nullptr;
  /// Conditions, the same for all keys, under which the source writes zero. It
  /// is for the caller to see what they have to do with the mask.
  llvm::SmallVector<const Expr *> zeroWhere;
  /// Whether the source writes zero for what is not a number.
  bool zeroForNaN = false;
};

/// Matches `weight`, a real number, as a softmax over `key`. On failure
/// `reason` says what stands in the way.
std::optional<Softmax> matchSoftmax(ExprContext &context, const Expr *weight,
                                    const Expr *key, std::string &reason);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_SOFTMAX_H

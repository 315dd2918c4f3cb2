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
  /// A real expression of the terms that depend on the key; the others cancel.
  const Expr *score = nullptr;
  /// Predicates; the weight is zero if one is false.
  llvm::SmallVector<const Expr *> conditions;
  /// The logit that only joins the denominator; null if there is none.
  const Expr *sink = nullptr;
  /// Conditions, the same for all keys, under which the source writes zero. The
  /// caller relates them to the mask.
  llvm::SmallVector<const Expr *> zeroWhere;
  /// Whether the source replaces NaN by zero.
  bool zeroForNaN = false;
};

/// Matches `weight`, a real expression, as a softmax over `key`. Sets `reason`
/// on failure.
std::optional<Softmax> matchSoftmax(ExprContext &context, const Expr *weight,
                                    const Expr *key, std::string &reason);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_SOFTMAX_H

//===----------------------------------------------------------------------===//
// Weights that are a sum: of one softmax times a factor, less another.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_WEIGHTTERMS_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_WEIGHTTERMS_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// `factor` times `weight`; the factor is real and the same for all keys.
struct WeightTerm {
  const Expr *weight;
  /// Null for one.
  const Expr *factor = nullptr;
};

/// The terms of `weight`, a function of `keys`, as far as sums, differences and
/// factors are around what is no sum. A choice between a sum and zero is one of
/// each term.
llvm::SmallVector<WeightTerm> splitWeight(ExprContext &context,
                                          const Expr *weight,
                                          llvm::ArrayRef<const Expr *> keys);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_WEIGHTTERMS_H

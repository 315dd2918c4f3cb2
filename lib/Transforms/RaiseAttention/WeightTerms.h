//===----------------------------------------------------------------------===//
// Weights that are a sum of softmaxes, each times a factor (differential
// attention).
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

/// Splits `weight`, a function of `keys`, into terms by distributing factors,
/// casts and selects with zero over sums and differences.
llvm::SmallVector<WeightTerm> splitWeight(ExprContext &context,
                                          const Expr *weight,
                                          llvm::ArrayRef<const Expr *> keys);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_WEIGHTTERMS_H

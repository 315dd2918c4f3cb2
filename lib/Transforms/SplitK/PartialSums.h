//===----------------------------------------------------------------------===//
// A split-K contraction and the sum of its partial sums.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_SPLITK_PARTIALSUMS_H
#define STOF_LIB_TRANSFORMS_SPLITK_PARTIALSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {

/// The K loop to split by `count`: the first one in the left operand with a
/// multiple of it; nothing if there is none. Expects static, nonzero sizes.
std::optional<unsigned> findDividedLoop(mlir::linalg::LinalgOp contraction,
                                        int64_t count);

/// The size of K. Expects static sizes.
int64_t countK(mlir::linalg::LinalgOp contraction);

struct PartialSums {
  /// All operations built before the contraction, in order.
  llvm::SmallVector<mlir::Operation *> built;
  /// The split-K contraction with an f32 result, and the sum in the original
  /// type.
  mlir::linalg::LinalgOp parts, sum;
};

/// Builds a split-K contraction with `count` slices of `loop` before the
/// original, which is not replaced.
PartialSums buildPartialSums(mlir::IRRewriter &rewriter,
                             mlir::linalg::LinalgOp contraction, unsigned loop,
                             int64_t count);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_SPLITK_PARTIALSUMS_H

//===----------------------------------------------------------------------===//
// A product in parts of what it sums over, and the sum of the parts.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_SPLITINNER_PARTIALSUMS_H
#define STOF_LIB_TRANSFORMS_SPLITINNER_PARTIALSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {

/// The loop of what a product sums over that is divided into `count` parts: the
/// first one in the left operand that can be; nothing if none can. The product
/// has static sizes and some elements.
std::optional<unsigned> findDividedLoop(mlir::linalg::LinalgOp product,
                                        int64_t count);

/// The elements that a product sums over. Expects static sizes.
int64_t countInner(mlir::linalg::LinalgOp product);

struct PartialSums {
  /// What has been built before the product, in order.
  llvm::SmallVector<mlir::Operation *> built;
  /// The parts of f32, and what adds them up to the product's result.
  mlir::linalg::LinalgOp parts, sum;
};

/// Builds a product in `count` parts of a loop beside the product, which is not
/// replaced.
PartialSums buildPartialSums(mlir::IRRewriter &rewriter,
                             mlir::linalg::LinalgOp product, unsigned loop,
                             int64_t count);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_SPLITINNER_PARTIALSUMS_H

//===----------------------------------------------------------------------===//
// Named contractions, and their replacement by other indexing maps.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_FUSEELEMENTWISE_CONTRACTIONS_H
#define STOF_LIB_TRANSFORMS_FUSEELEMENTWISE_CONTRACTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {

bool isNamedContraction(mlir::Operation *op);

/// The contraction by `maps` that extends its `inputs` as the named `op` does.
mlir::Value contractAs(mlir::PatternRewriter &rewriter,
                       mlir::linalg::LinalgOp op, mlir::ValueRange inputs,
                       mlir::Value init, llvm::ArrayRef<mlir::AffineMap> maps);

/// Replaces `op` by the contraction of `inputs` with the first of `maps`.
llvm::LogicalResult contractInstead(mlir::PatternRewriter &rewriter,
                                    mlir::linalg::LinalgOp op,
                                    mlir::ValueRange inputs,
                                    llvm::ArrayRef<mlir::AffineMap> maps);

/// Folds broadcasts of operands over the batch, and merges the rows of all
/// batches into those of one contraction.
void populateFoldBroadcastPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_FUSEELEMENTWISE_CONTRACTIONS_H

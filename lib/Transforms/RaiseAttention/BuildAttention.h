//===----------------------------------------------------------------------===//
// Builds stof.mask and stof.attention for an attention that was recognised.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_BUILDATTENTION_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_BUILDATTENTION_H

#include "AttentionMatch.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The widest type of queries, keys and values as the source first has them.
mlir::Type getSourceType(const AttentionMatch &match);

/// Builds the operations at the insertion point of `builder`, and a value to
/// use in place of the root.
AttentionOp buildAttention(mlir::OpBuilder &builder, ExprContext &context,
                           ElementAt &elements, const AttentionMatch &match,
                           mlir::Value &replacement);

/// Builds the sum of attentions of one root, `values`, each times its factor.
mlir::Value buildSum(mlir::OpBuilder &builder,
                     llvm::ArrayRef<AttentionMatch> matches,
                     llvm::ArrayRef<mlir::Value> values);

/// Whether every query provably keeps a key, by one of a few keys.
bool keepsEveryRow(ExprContext &context, const AttentionMatch &match);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_BUILDATTENTION_H

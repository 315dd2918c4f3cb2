//===----------------------------------------------------------------------===//
// Builds stof.mask and stof.attention for a matched attention.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_BUILDATTENTION_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_BUILDATTENTION_H

#include "AttentionMatch.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The widest of the types that queries, keys and values have before casts.
mlir::Type getSourceType(const AttentionMatch &match);

/// Builds the operations and the replacement of the root.
AttentionOp buildAttention(mlir::OpBuilder &builder, ExprContext &context,
                           TensorElement &elements, const AttentionMatch &match,
                           mlir::Value &replacement);

/// Builds the sum of the attentions of one root, each times its factor;
/// `values` are the replacements from buildAttention.
mlir::Value buildSum(mlir::OpBuilder &builder,
                     llvm::ArrayRef<AttentionMatch> matches,
                     llvm::ArrayRef<mlir::Value> values);

/// Whether `keep` provably is true for a key of every query, among a few
/// candidates.
bool keepsEveryRow(ExprContext &context, const AttentionMatch &match,
                   const Expr *keep);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_BUILDATTENTION_H

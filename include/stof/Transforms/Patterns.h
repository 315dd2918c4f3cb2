//===----------------------------------------------------------------------===//
// The patterns of this folder's passes, for passes that combine them.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_PATTERNS_H
#define STOF_TRANSFORMS_PATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace stof {

/// stof.attention on tensors, with a mask whose predicate is known, becomes the
/// linalg steps that define it.
void populateDecomposeAttentionPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof

#endif // STOF_TRANSFORMS_PATTERNS_H

//===----------------------------------------------------------------------===//
// Patterns of the passes in this folder, for passes that combine them.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_PATTERNS_H
#define STOF_TRANSFORMS_PATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace stof {

/// Decomposes stof.attention on tensors, with a mask of known predicate, into
/// the linalg steps that define it.
void populateDecomposeAttentionPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof

#endif // STOF_TRANSFORMS_PATTERNS_H

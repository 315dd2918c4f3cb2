//===----------------------------------------------------------------------===//
// Definition of attention in linalg on whole tensors.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_IMPORTATTENTION_DEFINITION_H
#define STOF_LIB_TRANSFORMS_IMPORTATTENTION_DEFINITION_H

#include "mlir/IR/Builders.h"

namespace stof {

/// Modifies one score, an f32, in the body of a linalg.generic over the scores.
using ScoreBuilder = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::Value)>;

/// Tensors of leading dimensions, position and feature, all of one rank.
struct Operands {
  mlir::Value query, key, value;
};

/// Builds softmax(change(scale * query * key^T)) * value, computed in f32, as a
/// tensor of `elementType`. Rows whose scores are all -inf are zero.
mlir::Value defineAttention(mlir::OpBuilder &builder, mlir::Location loc,
                            Operands operands, double scale,
                            ScoreBuilder change, mlir::Type elementType);

/// Extends `value`, a float, to `type`, which is at least as wide.
mlir::Value widenElement(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_IMPORTATTENTION_DEFINITION_H

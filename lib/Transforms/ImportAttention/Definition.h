//===----------------------------------------------------------------------===//
// Attention as the linalg that defines it, on whole tensors.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_IMPORTATTENTION_DEFINITION_H
#define STOF_LIB_TRANSFORMS_IMPORTATTENTION_DEFINITION_H

#include "mlir/IR/Builders.h"

namespace stof {

/// Changes one score, an f32, in the body of a linalg.generic over the scores.
using ScoreBuilder = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::Value)>;

/// Tensors of leading dimensions, position and feature, all of one rank.
struct Operands {
  mlir::Value query, key, value;
};

/// softmax(change(scale * query * key^T)) * value, computed in f32, as a tensor
/// of `elementType`. A row whose scores are all -inf becomes zero.
mlir::Value defineAttention(mlir::OpBuilder &builder, mlir::Location loc,
                            Operands operands, double scale,
                            ScoreBuilder change, mlir::Type elementType);

/// `value`, a float, as a number of the wider or equal type `type`.
mlir::Value widenElement(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_IMPORTATTENTION_DEFINITION_H

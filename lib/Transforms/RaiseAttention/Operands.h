//===----------------------------------------------------------------------===//
// Queries, keys and values as tensors of batch, head, position and feature,
// built from the operands of contractions in the source.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_OPERANDS_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_OPERANDS_H

#include "FactoredDims.h"

namespace stof {

/// A tensor element; times `factor`, it is the operand of a contraction.
struct OperandStage {
  const Expr *element;
  double factor;
};

/// Traces an operand back through movements of elements, widening casts and, if
/// `scaled`, constant factors. The first stage is the operand itself.
llvm::SmallVector<OperandStage> peelOperand(TensorElement &elements,
                                            const Expr *element, bool scaled);

/// The source of an operand.
struct OperandPlan {
  OperandStage stage;
  /// The dim factors of the dimensions of the tensor; empty if elements are
  /// gathered.
  llvm::SmallVector<DimFactors> dimFactors;
};

/// The stage from which a tensor with the dimensions `groups` takes the fewest
/// operations. Stages of element type `type` with all factors peeled are
/// preferred.
OperandPlan planOperand(ExprContext &context, TensorElement &elements,
                        llvm::ArrayRef<OperandStage> stages,
                        llvm::ArrayRef<DimFactors> groups, mlir::Type type);

mlir::Value buildOperand(mlir::OpBuilder &builder, mlir::Location loc,
                         ExprContext &context, const OperandPlan &plan,
                         llvm::ArrayRef<DimFactors> groups, mlir::Type type);

/// Casts the elements of `tensor` to another float type.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, mlir::Type type);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_OPERANDS_H

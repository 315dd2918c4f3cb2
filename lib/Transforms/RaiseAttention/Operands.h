//===----------------------------------------------------------------------===//
// Queries, keys and values as tensors of batch, head, position and feature, out
// of whatever the source multiplies.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_OPERANDS_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_OPERANDS_H

#include "Digits.h"

namespace stof {

/// A tensor element that, times `factor`, an operand of a contraction is made
/// of.
struct OperandStage {
  const Expr *element;
  double factor;
};

/// The way of an operand back through movements of elements, widening casts
/// and, if `scaled`, constant factors. The first stage is the operand itself.
llvm::SmallVector<OperandStage> peelOperand(ElementAt &elements,
                                            const Expr *element, bool scaled);

/// Where an operand is taken from, and how.
struct OperandPlan {
  OperandStage stage;
  /// The digits of the dimensions of the tensor; empty if elements are
  /// gathered.
  llvm::SmallVector<Digits> digits;
};

/// The stage from which a tensor with the dimensions `groups` takes the fewest
/// operations, of those that have the element type `type` if there are any.
OperandPlan planOperand(ExprContext &context, ElementAt &elements,
                        llvm::ArrayRef<OperandStage> stages,
                        llvm::ArrayRef<Digits> groups, mlir::Type type);

/// Builds the tensor.
mlir::Value buildOperand(mlir::OpBuilder &builder, mlir::Location loc,
                         ExprContext &context, const OperandPlan &plan,
                         llvm::ArrayRef<Digits> groups, mlir::Type type);

/// `tensor` with another float type.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value tensor, mlir::Type type);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_OPERANDS_H

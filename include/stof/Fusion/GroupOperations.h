//===----------------------------------------------------------------------===//
// Classification of single operations of a group.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPOPERATIONS_H
#define STOF_FUSION_GROUPOPERATIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// Whether an operation is bound by arithmetic or by memory.
enum class OperationClass { ComputeIntensive, MemoryIntensive };

OperationClass classifyOperation(mlir::Operation *op);

/// Whether a kernel computes `op`, alone or in a group: an attention, or a
/// linalg operation on tensors other than an initial value.
bool isGroupable(mlir::Operation *op);

/// Whether `op` only changes the shape of a tensor.
bool isReshape(mlir::Operation *op);

/// The operation result that `value` is a reshape of. Expects one.
mlir::OpResult getOrigin(mlir::Value value);

/// The loops of a contraction. Batch loops index the result and both operands,
/// rows (M) and columns (N) the result and one operand, reduction loops (K) the
/// operands only.
struct ContractionLoops {
  llvm::SmallVector<unsigned, 2> batch, rows, columns, reduction;
};

/// The loops of a contraction for tensor cores: operands of one 16-bit float
/// type or f32.
std::optional<ContractionLoops> getContractionLoops(mlir::linalg::LinalgOp op);

/// The operation that combines the accumulator of a reduction with a new value;
/// null unless it is the only one and has a neutral element.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op);

/// The name of `op` in messages.
std::string describeOperation(mlir::Operation *op);

} // namespace stof

#endif // STOF_FUSION_GROUPOPERATIONS_H

//===----------------------------------------------------------------------===//
// The kernels of groups: one function for each shape of computation. All of
// them are built from a group's body, in which tensors are arguments of the
// group.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUPKERNELS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUPKERNELS_H

#include "KernelBuilder.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// A group and the kernel that is being built from it.
class GroupContext {
public:
  /// `buffers` maps the group's operands to buffers and scalars of the host,
  /// `results` are the buffers that take its results.
  GroupContext(KernelBuilder &kernel, GroupOp group,
               const mlir::IRMapping &buffers, mlir::ValueRange results);

  /// The kernel's value for one that the group's body defines outside its
  /// linalg operations: an argument, or a scalar computed from arguments.
  mlir::Value lookup(mlir::Value value);

  /// Makes everything that `region` uses from around it available to
  /// copyScalarBody.
  void bindCaptured(mlir::Region &region, mlir::IRMapping &values);

  /// The host's buffer behind an operand of one of the linalg operations: an
  /// argument of the group or, for the initial value of a result, the result.
  mlir::Value getHostBuffer(mlir::OpOperand &operand);

  /// The extent of each loop of `op`, as host sizes.
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  getLoopSizes(mlir::linalg::LinalgOp op);

  /// The element of an operand at the given loop coordinates.
  mlir::Value loadElement(mlir::OpBuilder &builder, mlir::OpOperand &operand,
                          mlir::ValueRange coordinates);

  KernelBuilder &kernel() { return builder; }
  mlir::ValueRange getResults() const { return results; }
  GroupOp getGroup() const { return group; }

private:
  KernelBuilder &builder;
  GroupOp group;
  llvm::SmallVector<mlir::Value> results;
  mlir::IRMapping hostValues;
  mlir::IRMapping kernelValues;
};

/// Every element of the results on its own; loops that reduce run inside.
/// Serves any linalg.generic whose results each loop coordinate determines.
mlir::LogicalResult emitElementwiseKernel(GroupContext &context,
                                          mlir::linalg::GenericOp op);

/// Copies a buffer into one of the same sizes.
void emitCopyKernel(KernelBuilder &kernel, mlir::Value from, mlir::Value to);

/// One warp for each row of elements that are combined.
mlir::LogicalResult emitReductionKernel(GroupContext &context,
                                        mlir::linalg::GenericOp op);

/// Whether emitReductionKernel serves `op`: one result, combined by one
/// associative operation that has a neutral element.
bool isRowReduction(mlir::linalg::GenericOp op);

/// A matrix product on tensor cores; `epilogue` may be null.
mlir::LogicalResult emitContractionKernel(GroupContext &context,
                                          mlir::linalg::LinalgOp op,
                                          mlir::linalg::GenericOp epilogue);

/// Whether emitContractionKernel serves `op`: one row, column and inner loop,
/// operands of one 16-bit or f32 type.
bool isTileContraction(mlir::linalg::LinalgOp op);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUPKERNELS_H

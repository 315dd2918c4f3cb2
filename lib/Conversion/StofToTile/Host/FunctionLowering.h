//===----------------------------------------------------------------------===//
// Lowers a function on tensors to a host function on buffers, with kernels.
// LowerToTile.cpp visits the operations and keeps host computation,
// LowerComputation.cpp emits kernels and launches, LowerScatter.cpp updates in
// place and results, LowerView.cpp reshapes and slices.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_FUNCTIONLOWERING_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_FUNCTIONLOWERING_H

#include "../Scatter/ScatterPlan.h"
#include "stof/Fusion/GroupBranches.h"
#include "stof/IR/Stof.h"
#include "stof/Support/SymbolName.h"
#include "stof/Support/TargetInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace stof {

/// The type of the contiguous buffer of a tensor.
mlir::MemRefType bufferType(mlir::Type tensor);

/// The source of `value` through reshapes.
mlir::Value skipReshapes(mlir::Value value);

/// Lowers one function.
class FunctionLowering {
public:
  /// `target` is the target of kernels; null for CPUs.
  FunctionLowering(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                   const TargetInfo *target)
      : function(function), symbols(symbols), target(target),
        host(function.getContext()) {}

  mlir::LogicalResult run();

private:
  mlir::LogicalResult checkSignature();
  mlir::LogicalResult planScatters();
  void planResults();
  mlir::LogicalResult lower(mlir::Operation &op);
  mlir::LogicalResult lowerGroup(GroupOp op);
  mlir::LogicalResult lowerAttention(AttentionOp op);
  mlir::LogicalResult lowerListTiles(ListTilesOp op);
  mlir::LogicalResult lowerScatter(ScatterOp op);
  mlir::LogicalResult lowerConstant(mlir::arith::ConstantOp op);
  /// Lowers a reshape or slice to a view of its buffer.
  mlir::LogicalResult lowerView(mlir::Operation &op);
  mlir::LogicalResult lowerReshape(mlir::tensor::ReshapeOp op);
  mlir::LogicalResult lowerReturn(mlir::func::ReturnOp op);

  /// The buffer of `value`: that of the caller if the function returns it, else
  /// a new one.
  mlir::Value allocate(mlir::Value value,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The buffer of a result: a function argument of its own, or that of the
  /// argument that is donated to it.
  mlir::Value getResultBuffer(unsigned position);

  /// The value whose buffer `value` occupies, looking through reshapes and
  /// scatters in place.
  mlir::Value findMaker(mlir::Value value) const;

  /// Whether `value`, returned as result `position`, is in the buffer of that
  /// result.
  bool isInResultBuffer(unsigned position, mlir::Value value);

  /// Copies `from` to a new buffer.
  mlir::FailureOr<mlir::Value> copyAside(mlir::Location loc, mlir::Value from);

  /// Emits a kernel that copies `from` to `to`.
  mlir::LogicalResult copy(mlir::Location loc, mlir::Value from,
                           mlir::Value to);

  /// The host sizes of a result in `group`: those of the tensor.empty that
  /// initializes it.
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  sizesOfResult(GroupOp group, mlir::OpResult result);

  /// Allocates the buffers of the results of `group`; maps the yielded results
  /// of operations to them.
  llvm::FailureOr<mlir::IRMapping>
  allocateResults(GroupOp group, const GroupBranches &branches);

  std::string nextKernelName(llvm::StringRef what) {
    return (sanitizeSymbolName(function.getName()) + "_" +
            llvm::Twine(numKernels++) + "_" + what)
        .str();
  }

  mlir::func::FuncOp function;
  mlir::SymbolTable &symbols;
  const TargetInfo *target;
  mlir::func::FuncOp hostFunction;
  mlir::gpu::GPUModuleOp kernels;
  mlir::OpBuilder host;
  mlir::IRMapping values;
  llvm::DenseMap<mlir::Value, unsigned> returned;
  /// The donated argument of each result, if there is one.
  llvm::SmallVector<std::optional<unsigned>> donations;
  std::optional<ScatterPlan> scatters;
  unsigned numKernels = 0;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_HOST_FUNCTIONLOWERING_H

//===----------------------------------------------------------------------===//
// One function on its way from tensors to buffers and kernels. LowerToTile.cpp
// walks over it and keeps what the host computes, LowerComputation.cpp turns
// what computes on tensors into kernels and launches, LowerScatter.cpp what
// writes in place.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_FUNCTIONLOWERING_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_FUNCTIONLOWERING_H

#include "../Scatter/ScatterPlan.h"
#include "stof/Fusion/GroupSections.h"
#include "stof/IR/Stof.h"
#include "stof/Support/SymbolStem.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace stof {

/// The contiguous buffer that holds a tensor.
mlir::MemRefType bufferType(mlir::Type tensor);

/// The value that `value` is only another view of.
mlir::Value skipReshapes(mlir::Value value);

/// Lowers one function.
class FunctionLowering {
public:
  /// `chip` is what kernels are for, as ptxas names it; nothing for processors.
  FunctionLowering(mlir::func::FuncOp function, mlir::SymbolTable &symbols,
                   llvm::StringRef chip)
      : function(function), symbols(symbols), chip(chip),
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
  /// A reshape or slice becomes a view of its buffer.
  mlir::LogicalResult lowerView(mlir::Operation &op);
  mlir::LogicalResult lowerReshape(mlir::tensor::ReshapeOp op);
  mlir::LogicalResult lowerReturn(mlir::func::ReturnOp op);

  /// A buffer of the given type for `value`: where the caller wants it if the
  /// function returns it, else a new one.
  mlir::Value allocate(mlir::Value value,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// Where the caller wants a result: in a buffer of its own, or in that of the
  /// argument which it takes over.
  mlir::Value getResultBuffer(unsigned position);

  /// The value whose buffer holds all of `value`, the state of it that came
  /// first.
  mlir::Value findMaker(mlir::Value value) const;

  /// Whether `value`, which is result `position`, lies where the caller wants
  /// it.
  bool isInItsPlace(unsigned position, mlir::Value value);

  /// A new buffer with the contents of `from`.
  mlir::FailureOr<mlir::Value> copyAside(mlir::Location loc, mlir::Value from);

  /// Copies `from` to `to` by a kernel.
  mlir::LogicalResult copy(mlir::Location loc, mlir::Value from,
                           mlir::Value to);

  /// The host's sizes of a result of an operation in `group`, as the
  /// tensor.empty that it is written into has them.
  llvm::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  sizesOfResult(GroupOp group, mlir::OpResult result);

  /// A buffer for each result of `group`, which are those of operations in it.
  llvm::FailureOr<mlir::IRMapping>
  allocateResults(GroupOp group, const GroupSections &sections);

  std::string nextKernelName(llvm::StringRef what) {
    return (stemOf(function.getName()) + "_" + llvm::Twine(numKernels++) + "_" +
            what)
        .str();
  }

  mlir::func::FuncOp function;
  mlir::SymbolTable &symbols;
  llvm::StringRef chip;
  mlir::func::FuncOp hostFunction;
  mlir::gpu::GPUModuleOp kernels;
  mlir::OpBuilder host;
  mlir::IRMapping values;
  llvm::DenseMap<mlir::Value, unsigned> returned;
  /// For each result the argument whose buffer it takes over.
  llvm::SmallVector<std::optional<unsigned>> donations;
  std::optional<ScatterPlan> scatters;
  unsigned numKernels = 0;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_HOST_FUNCTIONLOWERING_H

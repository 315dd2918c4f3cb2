//===----------------------------------------------------------------------===//
// Slices and reshapes of tensors as views of the memory in which the whole
// lies. Whoever leaves a slice where it is, plans the loops over it or compiles
// it asks here, so that all three agree.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_TENSORVIEW_H
#define STOF_FUSION_TENSORVIEW_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace stof {

/// The type of what `op`, a reshape or slice of a tensor, shows of a buffer of
/// type `source`; nothing if no strides do.
std::optional<mlir::MemRefType> viewThrough(mlir::Operation *op,
                                            mlir::MemRefType source);

/// The type of the memory that holds `tensor`: contiguous, but for slices and
/// reshapes of them. An argument of a group is what the group takes.
std::optional<mlir::MemRefType> getMemoryType(mlir::Value tensor);

/// Whether kernels read `slice` where it lies, and no copy is made of it.
bool isReadInPlace(mlir::tensor::ExtractSliceOp slice);

/// For each dimension of a buffer, whether its elements follow those of the
/// dimension before, so that both can be counted as one.
llvm::SmallVector<bool> findJoined(mlir::MemRefType type);

/// Whether each of the runs of dimensions can be counted as one.
bool isCollapsible(mlir::MemRefType type,
                   llvm::ArrayRef<mlir::ReassociationIndices> reassociation);

} // namespace stof

#endif // STOF_FUSION_TENSORVIEW_H

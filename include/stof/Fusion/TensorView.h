//===----------------------------------------------------------------------===//
// Slices, reshapes and transpositions of tensors as views of the underlying
// memory. In-place slices, group plans and kernels share these rules.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_TENSORVIEW_H
#define STOF_FUSION_TENSORVIEW_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace stof {

/// The type of the view that `op`, a reshape or slice, creates of a buffer of
/// type `source`; nothing if it is not strided.
std::optional<mlir::MemRefType> viewThrough(mlir::Operation *op,
                                            mlir::MemRefType source);

/// The type of the memory of `tensor`: contiguous, except for slices and
/// reshapes of slices. Group arguments resolve to the group's inputs.
std::optional<mlir::MemRefType> getMemoryType(mlir::Value tensor);

/// Whether kernels read `slice` in place, without a copy.
bool isReadInPlace(mlir::tensor::ExtractSliceOp slice);

/// The permutation of an operation that does nothing but transpose: dim i of
/// its result is dim permutation[i] of its operand.
std::optional<llvm::SmallVector<int64_t>> getPermutation(mlir::Operation *op);

/// Whether attention accesses what `op` transposes in place, without a copy: an
/// argument of the function that is its query, key or value, or its result if
/// that is what the function returns. Its features are innermost in memory.
bool isTransposedInPlace(mlir::Operation *op);

/// For each dim of a buffer, whether it is contiguous with the previous one,
/// i.e. collapsible into it.
llvm::SmallVector<bool> findJoined(mlir::MemRefType type);

/// Whether each reassociation group is collapsible.
bool isCollapsible(mlir::MemRefType type,
                   llvm::ArrayRef<mlir::ReassociationIndices> reassociation);

} // namespace stof

#endif // STOF_FUSION_TENSORVIEW_H

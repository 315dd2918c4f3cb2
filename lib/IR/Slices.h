//===----------------------------------------------------------------------===//
// Parts of tensors and buffers, and what is known of their offsets and sizes.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_IR_SLICES_H
#define STOF_LIB_IR_SLICES_H

#include "mlir/IR/Builders.h"

namespace stof {

/// The largest number that is known to divide `value`; 0 for zero, which
/// everything divides. Knows constants, loop counters and affine expressions.
int64_t knownDivisor(mlir::OpFoldResult value);

/// Whether a tile is known to be all of dimension `dim` of `whole`.
bool isWhole(mlir::Value whole, unsigned dim, mlir::OpFoldResult offset,
             mlir::OpFoldResult size);

/// The size of dimension `dim` of a tensor or buffer.
mlir::OpFoldResult getSize(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value whole, unsigned dim);

/// The part of a tensor or buffer at `offsets`, with unit strides.
mlir::Operation *createSlice(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value whole,
                             llvm::ArrayRef<mlir::OpFoldResult> offsets,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace stof

#endif // STOF_LIB_IR_SLICES_H

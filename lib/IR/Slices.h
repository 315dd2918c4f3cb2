//===----------------------------------------------------------------------===//
// Slices of tensors and buffers, and facts about their offsets and sizes.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_IR_SLICES_H
#define STOF_LIB_IR_SLICES_H

#include "mlir/IR/Builders.h"

namespace stof {

/// The largest known divisor of `value`; 0 for zero, which everything divides.
/// Handles constants, induction variables and affine expressions.
int64_t knownDivisor(mlir::OpFoldResult value);

/// Whether a tile is known to cover dimension `dim` of `whole`.
bool isWhole(mlir::Value whole, unsigned dim, mlir::OpFoldResult offset,
             mlir::OpFoldResult size);

/// The size of dimension `dim` of a tensor or buffer.
mlir::OpFoldResult getSize(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value whole, unsigned dim);

/// `value` divided by `divisor`, rounded down.
mlir::OpFoldResult floorDiv(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::OpFoldResult value, int64_t divisor);

/// A slice of a tensor or buffer with unit strides.
mlir::Operation *createSlice(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value whole,
                             llvm::ArrayRef<mlir::OpFoldResult> offsets,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace stof

#endif // STOF_LIB_IR_SLICES_H

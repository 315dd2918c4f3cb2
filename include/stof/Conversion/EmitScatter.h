//===----------------------------------------------------------------------===//
// Code generation for one update of a scatter, shared by loops and kernels.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_EMITSCATTER_H
#define STOF_CONVERSION_EMITSCATTER_H

#include "stof/IR/Stof.h"

namespace stof {

struct ScatterBuffers {
  mlir::Value updates;
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value original;
};

/// Emits a predicate (i1) on the destination coordinates of an update; updates
/// for which it is false are skipped.
using TakesUpdate = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange destination)>;

/// Applies the update at `coordinates` if its destination is in bounds and
/// satisfies `takes` (if given).
void emitUpdate(mlir::OpBuilder &builder, mlir::Location loc, ScatterOp op,
                const ScatterBuffers &buffers, mlir::ValueRange coordinates,
                TakesUpdate takes = {});

/// Emits a loop nest over `sizes`, the last innermost, with `body` inside.
void emitLoops(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange sizes,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

} // namespace stof

#endif // STOF_CONVERSION_EMITSCATTER_H

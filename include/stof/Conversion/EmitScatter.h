//===----------------------------------------------------------------------===//
// Code for one update of a scatter, in loops as in kernels.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_EMITSCATTER_H
#define STOF_CONVERSION_EMITSCATTER_H

#include "stof/IR/Stof.h"

namespace stof {

/// The buffers of a scatter.
struct ScatterBuffers {
  mlir::Value updates;
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value original;
};

/// Says whether an update whose place is given is taken; null for always.
using TakesUpdate = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange place)>;

/// Writes the update at `coordinates` to its place, if that lies inside and
/// `takes` says so.
void emitUpdate(mlir::OpBuilder &builder, mlir::Location loc, ScatterOp op,
                const ScatterBuffers &buffers, mlir::ValueRange coordinates,
                TakesUpdate takes = {});

/// Calls `body` in loops over `sizes`, the last one fastest.
void emitLoops(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange sizes,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);

} // namespace stof

#endif // STOF_CONVERSION_EMITSCATTER_H

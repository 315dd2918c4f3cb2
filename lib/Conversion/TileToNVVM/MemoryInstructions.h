//===----------------------------------------------------------------------===//
// Vectorised loads and stores of contiguous elements. Conditional accesses to
// global memory are single predicated instructions: branches would keep ptxas
// from overlapping them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_MEMORYINSTRUCTIONS_H
#define STOF_LIB_CONVERSION_TILETONVVM_MEMORYINSTRUCTIONS_H

#include "mlir/IR/Builders.h"

namespace stof::tile {

/// The widest access of one thread.
inline constexpr int64_t maxAccessBytes = 16;

/// Loads `count` contiguous elements of type `element` from `pointer`, which is
/// aligned to their total size (at most `maxAccessBytes`). If `inside` (null
/// for true) is false, they are zero and no memory is accessed.
llvm::SmallVector<mlir::Value>
loadElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
             mlir::Value pointer, int64_t count, mlir::Value inside = {});

/// Stores contiguous elements to `pointer`, which is aligned to their total
/// size, if `inside` (null for true) holds.
void storeElements(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::ValueRange elements, mlir::Value pointer,
                   mlir::Value inside = {});

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_MEMORYINSTRUCTIONS_H

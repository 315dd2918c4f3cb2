//===----------------------------------------------------------------------===//
// Loads and stores of a few adjacent elements, in global memory under a
// condition. A branch around each access would part what ptxas could overlap,
// so conditional ones are single predicated instructions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_MEMORYINSTRUCTIONS_H
#define STOF_LIB_CONVERSION_TILETONVVM_MEMORYINSTRUCTIONS_H

#include "mlir/IR/Builders.h"

namespace stof::tile {

/// The most bytes that one instruction of a thread moves.
inline constexpr int64_t maxAccessBytes = 16;

/// Loads `count` adjacent elements of type `element` from `pointer`, which is
/// aligned to all of them (at most `maxAccessBytes`). Where `inside` (null for
/// true) is false, they are zero and memory is left alone.
llvm::SmallVector<mlir::Value>
loadElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element,
             mlir::Value pointer, int64_t count, mlir::Value inside = {});

/// Stores adjacent elements to `pointer`, aligned to all of them, where
/// `inside` (null for true) holds.
void storeElements(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::ValueRange elements, mlir::Value pointer,
                   mlir::Value inside = {});

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_MEMORYINSTRUCTIONS_H

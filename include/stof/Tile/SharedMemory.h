//===----------------------------------------------------------------------===//
// The shared memory of tile operations: how much each needs, and where it is.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_SHAREDMEMORY_H
#define STOF_TILE_SHAREDMEMORY_H

#include "stof/Support/ElementBytes.h"
#include "stof/Tile/Tile.h"

namespace stof::tile {

/// The attribute for the offset, in bytes, of the shared memory of an
/// operation.
inline constexpr llvm::StringLiteral offsetAttr = "tile.offset";

using stof::getElementBytes;

/// The bytes of shared memory that an operation allocates; 0 for none.
int64_t getSharedBytes(mlir::Operation *op);

/// The alignment of an operation's allocation, in bytes.
int64_t getSharedAlignment(SharedMemoryOpInterface op);

/// Emits an error at an operation of `kernel` that needs shared memory but has
/// no offset.
llvm::LogicalResult checkSharedOffsets(mlir::Operation *kernel);

} // namespace stof::tile

#endif // STOF_TILE_SHAREDMEMORY_H

//===----------------------------------------------------------------------===//
// Interfaces of the tile dialect: distributed layouts, and operations that use
// shared memory. TileInterfaces.td documents them.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_TILEINTERFACES_H
#define STOF_TILE_TILEINTERFACES_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/OpDefinition.h"

namespace stof::tile {

/// An access of an operation to shared memory.
struct SharedAccess {
  enum class Kind {
    Read,
    Write,
    /// Written by asynchronous copies, as a group of their own. The next access
    /// to the memory waits for them.
    AsyncWrite
  };
  Kind kind;
  /// An operand or a result of the operation; null for temporary memory.
  mlir::Value tile;
};

namespace detail {
/// The defaults of SharedMemoryOpInterface.
mlir::OpResult getUntiedTile(mlir::Operation *op);
int64_t getTileBytes(mlir::Value tile);
void addReadsOfTiles(mlir::Operation *op,
                     llvm::SmallVectorImpl<SharedAccess> &accesses);
} // namespace detail

} // namespace stof::tile

#include "stof/Tile/TileAttrInterfaces.h.inc"

#include "stof/Tile/TileOpInterfaces.h.inc"

#endif // STOF_TILE_TILEINTERFACES_H

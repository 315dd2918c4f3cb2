//===----------------------------------------------------------------------===//
// The shared memory buffers of tile values. A loop that carries shared tiles
// owns a fixed set of buffers; each iteration only permutes their assignment to
// the carried values.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_TILEBUFFERS_H
#define STOF_LIB_TILE_TRANSFORMS_TILEBUFFERS_H

#include "stof/Tile/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace stof::tile {

/// The value that defines the buffer of `tile`, through operations that take
/// over the buffer of an operand. In the body of an `scf.while`, it is the
/// argument of the first region.
mlir::Value getOrigin(mlir::Value tile);

/// A value that a loop carries from one iteration to the next.
struct Carried {
  mlir::Operation *loop = nullptr;
  unsigned number = 0;
  bool operator==(const Carried &other) const {
    return loop == other.loop && number == other.number;
  }
};

/// `origin` as a carried value of an `scf.for` or `scf.while`; else no loop.
Carried getCarried(mlir::Value origin);

/// Emits an error where passes could not tell the buffers of shared tiles: at
/// an operation that defines one without SharedMemoryOpInterface, and at a loop
/// whose carried tiles do not start in distinct buffers or whose buffers are
/// not each yielded exactly once.
llvm::LogicalResult checkTileBuffers(mlir::gpu::GPUFuncOp kernel);

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_TILEBUFFERS_H

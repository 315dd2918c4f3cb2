//===----------------------------------------------------------------------===//
// The shared memory buffers of tile values. A loop that carries shared tiles
// owns a fixed set of buffers; each iteration only permutes their assignment to
// the carried values.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_TILEBUFFERS_H
#define STOF_LIB_TILE_TRANSFORMS_TILEBUFFERS_H

#include "stof/Tile/Tile.h"

namespace stof::tile {

/// The value that defines the buffer of `tile`, through waits and loads over
/// existing tiles. In the body of an `scf.while`, it is the argument of the
/// first region.
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

/// The initial and the yielded values of the carried values of a loop.
mlir::OperandRange getInits(mlir::Operation *loop);
mlir::OperandRange getNexts(mlir::Operation *loop);

/// Emits an error at a loop in `kernel` whose carried shared tiles do not start
/// in distinct buffers or whose buffers are not each yielded exactly once.
llvm::LogicalResult checkCarriedTiles(mlir::Operation *kernel);

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_TILEBUFFERS_H

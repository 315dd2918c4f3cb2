//===----------------------------------------------------------------------===//
// Which place of shared memory a tile value stands for. A loop may hand tiles
// to its next iteration: it then owns a fixed set of places and only changes
// which of the values that it carries stands for which.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_TILEPLACES_H
#define STOF_LIB_CONVERSION_TILETONVVM_TILEPLACES_H

#include "stof/Tile/Tile.h"

namespace stof::tile {

/// The value that first stood for the place of `tile`: what loads took the
/// place of, before any waiting. Of a tile inside an `scf.while`, the argument
/// of its first region.
mlir::Value getOrigin(mlir::Value tile);

/// A value that a loop carries from one iteration to the next.
struct Carried {
  mlir::Operation *loop = nullptr;
  unsigned number = 0;
  bool operator==(const Carried &other) const {
    return loop == other.loop && number == other.number;
  }
};

/// What `origin` is if an `scf.for` or `scf.while` carries it, else no loop.
Carried getCarried(mlir::Value origin);

/// The values with which the carried ones of a loop begin, and with which they
/// go on.
mlir::OperandRange getInits(mlir::Operation *loop);
mlir::OperandRange getNexts(mlir::Operation *loop);

/// Fails with an error at a loop below `kernel` whose carried tiles do not
/// begin in different places of their own or do not hand on each place once.
llvm::LogicalResult checkCarriedTiles(mlir::Operation *kernel);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_TILEPLACES_H

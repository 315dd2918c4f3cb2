//===----------------------------------------------------------------------===//
// How a fragment is moved to and from global memory: which of a thread's
// elements go together into one instruction.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_FRAGMENTACCESS_H
#define STOF_LIB_CONVERSION_TILETONVVM_FRAGMENTACCESS_H

#include "GlobalAccess.h"

namespace stof::tile {

/// Elements of one thread that are adjacent in memory.
struct ElementRun {
  /// Their numbers among the thread's elements, in the order of addresses.
  llvm::SmallVector<int64_t> elements;
  /// The coordinates of the first.
  llvm::SmallVector<Coordinate> coordinates;
};

/// The most elements, up to `limit` and a power of two, that a thread always
/// holds adjacent along `dim` and that start at a multiple of their number.
int64_t getAdjacentElements(FragmentType type,
                            const TileCoordinates &coordinates, unsigned dim,
                            int64_t limit);

/// Divides the elements of a thread into runs of `count` along `dim`.
llvm::SmallVector<ElementRun> makeRuns(FragmentType type,
                                       const TileCoordinates &coordinates,
                                       unsigned dim, int64_t count);

/// Moves a fragment: calls `access` for each run with the condition under which
/// it is inside (null for always). Returns what `access` left in `elements`.
/// Where wider instructions are right as long as the tile does not reach beyond
/// the end, that is decided once for the block by an `scf.if`.
llvm::SmallVector<mlir::Value> moveFragment(
    mlir::OpBuilder &builder, mlir::Location loc, FragmentType type,
    const GlobalTile &memory, mlir::TypeRange results,
    llvm::function_ref<void(mlir::OpBuilder &builder, const ElementRun &run,
                            mlir::Value address, mlir::Value inside,
                            llvm::MutableArrayRef<mlir::Value> elements)>
        access);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_FRAGMENTACCESS_H

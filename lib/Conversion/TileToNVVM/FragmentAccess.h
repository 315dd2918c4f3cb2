//===----------------------------------------------------------------------===//
// Vectorised accesses of a fragment to global memory.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_FRAGMENTACCESS_H
#define STOF_LIB_CONVERSION_TILETONVVM_FRAGMENTACCESS_H

#include "GlobalAccess.h"

namespace stof::tile {

/// Elements of one thread that are contiguous in memory.
struct ElementRun {
  /// Indices into the thread's elements, in order of addresses.
  llvm::SmallVector<int64_t> elements;
  /// The coordinates of the first element.
  llvm::SmallVector<Coordinate> coordinates;
};

/// The largest power of two n <= `limit` such that each thread's elements along
/// `dim` form groups of n contiguous elements, which start at multiples of n.
int64_t getAdjacentElements(FragmentType type,
                            const TileCoordinates &coordinates, unsigned dim,
                            int64_t limit);

/// Divides a thread's elements into groups of `count` contiguous ones along
/// `dim`.
llvm::SmallVector<ElementRun> makeRuns(FragmentType type,
                                       const TileCoordinates &coordinates,
                                       unsigned dim, int64_t count);

/// Calls `access` for each group of contiguous elements, with the predicate
/// that it is in bounds (null for true), and returns the `elements` set by
/// `access`. If wider instructions are valid only for tiles that are fully in
/// bounds, one `scf.if` for the CTA selects them.
llvm::SmallVector<mlir::Value> moveFragment(
    mlir::OpBuilder &builder, mlir::Location loc, FragmentType type,
    const GlobalTile &memory, mlir::TypeRange results,
    llvm::function_ref<void(mlir::OpBuilder &builder, const ElementRun &run,
                            mlir::Value address, mlir::Value inside,
                            llvm::MutableArrayRef<mlir::Value> elements)>
        access);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_FRAGMENTACCESS_H

//===----------------------------------------------------------------------===//
// The roles of the warps of a CTA.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_ROLES_H
#define STOF_TILE_ROLES_H

#include "stof/Tile/Tile.h"

#include "mlir/IR/Builders.h"

namespace stof::tile {

/// The region of a `tile.warp_specialize` whose role runs `block`; null if all
/// warps of the CTA do.
mlir::Region *getRole(mlir::Block *block);

/// The warps before those that run `block`.
int64_t getFirstWarp(mlir::Block *block);

/// The threads of the CTA that run `op` together, a kernel or an operation in
/// one: those of a group of its role, if it has one; 0 if unknown or not along
/// x only.
int64_t getNumThreads(mlir::Operation *op);
int64_t getNumThreads(mlir::Block *block);

/// The groups of warps that run `block`, each by itself.
int64_t getNumGroups(mlir::Block *block);

/// The number (i32) of the group that runs the insertion point, which is in a
/// role; the same register in all lanes.
mlir::Value getGroup(mlir::OpBuilder &builder, mlir::Location loc);

/// The number (i32) of the warpgroup that runs the insertion point, among those
/// that run it together; the same register in all lanes, as descriptors of
/// wgmma in uniform registers need.
mlir::Value getWarpgroup(mlir::OpBuilder &builder, mlir::Location loc);

/// A barrier that synchronises a number of threads, or the whole CTA if `id` is
/// null (i32).
struct BarrierOperands {
  mlir::Value id, threads;
};

/// The barrier of the threads that run the insertion point.
BarrierOperands getBarrier(mlir::OpBuilder &builder, mlir::Location loc);

/// Makes the threads that run the insertion point wait for each other, or for
/// those of `barrier`.
void createBarrier(mlir::OpBuilder &builder, mlir::Location loc);
void createBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                   const BarrierOperands &barrier);

/// Parts of the consumers that take turns: the groups, or the warpgroups of the
/// one group.
class Turns {
public:
  Turns(WarpSpecializeOp roles, bool areWarpgroups);

  int64_t getCount() const { return count; }
  /// The number (i32) of the part that runs the insertion point.
  mlir::Value getNumber(mlir::OpBuilder &builder, mlir::Location loc) const;
  /// The barrier of the turn of part `number`: of its threads, and of those of
  /// the part before it.
  BarrierOperands getBarrier(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value number) const;

private:
  int64_t count, threads, firstBarrier;
};

} // namespace stof::tile

#endif // STOF_TILE_ROLES_H

//===----------------------------------------------------------------------===//
// The region of the warps that compute: everything but what all threads run.
// The receipt of a tile takes the place of each load, and the tile is released
// after its last use in the iteration.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_CONSUMERBUILDER_H
#define STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_CONSUMERBUILDER_H

#include "RoleChannels.h"
#include "stof/Tile/Roles.h"

namespace stof::tile {

/// Builds the region of consumers of one kernel.
class ConsumerBuilder {
public:
  /// Tiles are counted from `zero`.
  ConsumerBuilder(ProducibleLoads &loads, const RoleChannels &channels,
                  mlir::Value zero);

  /// Moves what only consumers run to their region of `roles`.
  void build(WarpSpecializeOp roles);

private:
  /// Replaces the loads of a tile of the CTA, which `block` computes, by
  /// receipts.
  void consumeTile(mlir::Block &block);
  void consumeMainloops(mlir::Block &block);
  void consumeBranches(mlir::scf::IfOp branch);
  void consume(Mainloop &mainloop);
  /// Replaces the loads in a loop over tiles, of which each of `groups` has its
  /// share.
  void consumeTiles(int64_t groups);
  /// Gives each of `groups` its share of the tiles. Returns the K tiles that
  /// the others receive for each tile of a group.
  mlir::Value divideTiles(int64_t groups);
  /// The K tiles of a tile of the CTA.
  mlir::Value countSent(mlir::OpBuilder &builder);

  ProducibleLoads &loads;
  const RoleChannels &channels;
  mlir::Location loc;
  /// The tiles received before the next mainloop, and those of the CTA before
  /// this one.
  mlir::Value received, before;
};

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_CONSUMERBUILDER_H

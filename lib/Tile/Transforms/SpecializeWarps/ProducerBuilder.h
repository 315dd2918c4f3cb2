//===----------------------------------------------------------------------===//
// The region of the warps that load: for each mainloop a loop over its points
// that sends tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_PRODUCERBUILDER_H
#define STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_PRODUCERBUILDER_H

#include "RoleChannels.h"

namespace stof::tile {

/// Builds the region of producers of one kernel.
class ProducerBuilder {
public:
  /// Tiles are counted from `zero`.
  ProducerBuilder(ProducibleLoads &loads, const RoleChannels &channels,
                  mlir::Value zero);

  /// Creates the sends of the kernel in `producer`, in a loop over tiles if
  /// there is one.
  void build(mlir::Block &producer);

private:
  /// Creates the sends of one tile of the CTA.
  void produceTile(mlir::OpBuilder &builder);
  void produceMainloops(mlir::OpBuilder &builder, mlir::Block &block);
  void produce(mlir::OpBuilder &builder, Mainloop &mainloop);
  /// Creates the sends of tiles that the CTA counts, or claims.
  void produceCounted(mlir::OpBuilder &builder, mlir::scf::ForOp counted);
  void produceClaimed(mlir::OpBuilder &builder);
  /// Creates the sends of a tile of the CTA, with `clones` of its scalars.
  void produceCloned(mlir::OpBuilder &builder, mlir::IRMapping &clones,
                     mlir::ValueRange counts);

  ProducibleLoads &loads;
  const RoleChannels &channels;
  mlir::Location loc;
  /// The tiles sent before the next mainloop, and those of the CTA before this
  /// one.
  mlir::Value sent, before;
};

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_PRODUCERBUILDER_H

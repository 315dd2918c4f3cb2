//===----------------------------------------------------------------------===//
// The channels between the roles of a kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_ROLECHANNELS_H
#define STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_ROLECHANNELS_H

#include "ProducibleLoads.h"

namespace stof::tile {

struct RoleChannels {
  /// Of the tiles of an iteration, and of each load outside of loops.
  llvm::SmallVector<mlir::Value> tiles, once;
  /// Of claimed numbers, if tiles are claimed.
  mlir::Value claims;

  /// Receives what was claimed after tile `number` of the CTA.
  mlir::Value receiveClaim(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value number) const;
};

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_ROLECHANNELS_H

//===----------------------------------------------------------------------===//
// The tile shapes of the branches of a group.
//
// A thread has adjacent elements for one 16-byte access, and up to 32 threads
// of a warp share a row. Other lanes and warps take further rows.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPSHAPE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPSHAPE_H

#include "stof/CostModel/MatmulTile.h"
#include "stof/Fusion/GroupBranches.h"
#include "stof/Support/TargetInfo.h"
#include "stof/Tile/Tile.h"

namespace stof {

/// The shape of a CTA tile and its distribution over threads.
struct GroupShape {
  int64_t rows, columns, warps;
  tile::LayoutInterface layout;
  /// Whether the tile is full-N.
  bool isWhole;
  /// The tile sizes of a contraction.
  std::optional<MatmulTile> contraction = std::nullopt;
};

/// The tile shape of each branch for `target`, or for CPUs if it is null; all
/// with the same number of warps.
llvm::SmallVector<GroupShape> shapesOfGroup(const GroupBranches &branches,
                                            const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPSHAPE_H

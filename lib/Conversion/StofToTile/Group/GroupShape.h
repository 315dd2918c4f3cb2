//===----------------------------------------------------------------------===//
// The tile shapes of the branches of a group.
//
// A thread has adjacent elements for one 16-byte access, and up to 32 threads
// of a warp share a row. Other lanes and warps take further rows.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPSHAPE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPSHAPE_H

#include "GroupTiles.h"
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

/// The tile shape of each branch, given its tile.
llvm::SmallVector<GroupShape> shapesOf(const GroupBranches &branches,
                                       llvm::ArrayRef<BranchTile> tiles);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPSHAPE_H

//===----------------------------------------------------------------------===//
// The tiles of the kernels of elements and rows, and who computes which.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUPGRID_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUPGRID_H

#include "FragmentProgram.h"

namespace stof {

/// The shape of a block's tile and how it lies over the threads.
struct GroupShape {
  int64_t rows, columns, warps;
  tile::LayoutInterface layout;
  /// Whether a tile has all columns.
  bool isWhole;
};

GroupShape shapeOfElements(const GroupPlan &plan);

/// As wide as the rows are where the registers of 8 warps hold them, else as
/// wide as a step of a walk over them.
GroupShape shapeOfRows(const GroupPlan &plan);

/// The tile of each block of a linear grid, which is launched by launchTiles.
GroupTile placeTile(GroupContext &context, const GroupShape &shape);
void launchTiles(GroupContext &context, const GroupShape &shape);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUPGRID_H

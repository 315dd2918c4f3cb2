//===----------------------------------------------------------------------===//
// The tiles of the sections of a group, and which block computes which.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPGRID_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPGRID_H

#include "FragmentProgram.h"

namespace stof {

/// How many tiles there are in the section.
mlir::OpFoldResult countTiles(GroupContext &context, const GroupShape &shape);

/// The tile of the context's block: they are numbered columns first, then rows,
/// then batch.
GroupTile placeTile(GroupContext &context, const GroupShape &shape);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPGRID_H

//===----------------------------------------------------------------------===//
// The tiles of the branches of a group, and their assignment to CTAs.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPGRID_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPGRID_H

#include "FragmentProgram.h"
#include "GroupContext.h"
#include "GroupShape.h"

namespace stof {

/// The number of tiles of the branch.
mlir::OpFoldResult countTiles(GroupContext &context, const GroupShape &shape);

/// The tile of the context's CTA. Columns are numbered fastest, then rows, then
/// batch; those of contractions with many columns in bands of rows.
GroupTile placeTile(GroupContext &context, const GroupShape &shape);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPGRID_H

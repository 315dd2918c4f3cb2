//===----------------------------------------------------------------------===//
// The template of row reductions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_ROWSKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_ROWSKERNEL_H

#include "GroupContext.h"
#include "GroupShape.h"

namespace stof {

/// Computes row reductions on full-N tiles, or in loops over columns.
void emitRows(GroupContext &context, const GroupShape &shape);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_ROWSKERNEL_H

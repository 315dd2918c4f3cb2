//===----------------------------------------------------------------------===//
// The template of contractions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_CONTRACTIONKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_CONTRACTIONKERNEL_H

#include "GroupContext.h"
#include "GroupShape.h"

namespace stof {

/// Computes contractions on tensor cores with their prologues and epilogue.
void emitContraction(GroupContext &context, const GroupShape &shape);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_CONTRACTIONKERNEL_H

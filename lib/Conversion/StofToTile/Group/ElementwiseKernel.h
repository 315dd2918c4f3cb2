//===----------------------------------------------------------------------===//
// The template of elementwise kernels.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_ELEMENTWISEKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_ELEMENTWISEKERNEL_H

#include "GroupContext.h"
#include "GroupShape.h"

namespace stof {

/// Computes each result element independently.
void emitElementwise(GroupContext &context, const GroupShape &shape);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_ELEMENTWISEKERNEL_H

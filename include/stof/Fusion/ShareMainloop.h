//===----------------------------------------------------------------------===//
// Contractions that share a mainloop.
//
// Contractions of the same loops iterate over K together, as in a gated layer:
//
//     silu(x * gate) * (x * up)
//
// A tile of `x` is loaded once; each contraction has its own accumulators,
// which the epilogue combines.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_SHAREMAINLOOP_H
#define STOF_FUSION_SHAREMAINLOOP_H

#include "stof/Fusion/OperationRoles.h"

namespace stof {

/// The loops after those over K of all contractions have been made the same.
/// Refuses contractions with other batch, M, N or K dims than the first, or
/// another operand type.
PlanResult<GroupLoops> shareMainloop(const GroupMembers &members,
                                     GroupLoops loops,
                                     const OperationRoles &roles);

} // namespace stof

#endif // STOF_FUSION_SHAREMAINLOOP_H

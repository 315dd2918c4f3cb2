//===----------------------------------------------------------------------===//
// The iteration space of a group.
//
//   1. Each loop gets a dim factor, each value of the group those of its
//      elements.
//   2. The loops of a reader are unified with those of the value that it reads.
//   3. Operations that read the same input are aligned by it, if their loops
//      stay distinct.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_RELATELOOPS_H
#define STOF_FUSION_RELATELOOPS_H

#include "stof/Fusion/GroupLoops.h"

namespace stof {

/// Refuses operations that read values of the group at other indices than their
/// own, except by `tensor.extract` (ElementRead), and those whose loops cannot
/// be matched.
PlanResult<GroupLoops> relateLoops(const GroupMembers &members);

} // namespace stof

#endif // STOF_FUSION_RELATELOOPS_H

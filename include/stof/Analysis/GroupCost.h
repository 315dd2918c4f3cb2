//===----------------------------------------------------------------------===//
// What sharing a kernel saves.
//
// A kernel takes the time of a launch, and the longer of the times that its
// traffic and its arithmetic take. Traffic is every tensor that it reads or
// writes, once. Arithmetic is every operation of a body as often as the kernel
// computes it, which is more often than needed where an operation runs over
// fewer loops than the group, and the tiles of a product, which are padded. The
// figures are those of one large GPU; they only have to be right to each other.
//===----------------------------------------------------------------------===//

#ifndef STOF_ANALYSIS_GROUPCOST_H
#define STOF_ANALYSIS_GROUPCOST_H

#include "stof/Analysis/GroupPlan.h"

namespace stof {

struct GroupCost {
  /// Bytes of all tensors that come from outside or leave.
  double bytes = 0;
  double microseconds = 0;
};

/// The cost of a group that has a kernel; of what is not known before run time
/// as if it were of middle size.
GroupCost estimateCost(const GroupPlan &plan);

} // namespace stof

#endif // STOF_ANALYSIS_GROUPCOST_H

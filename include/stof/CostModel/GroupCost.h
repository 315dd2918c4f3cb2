//===----------------------------------------------------------------------===//
// Cost of a group, to weigh the gain of fusion.
//
// A kernel takes the time of a launch, of its traffic (every tensor that it
// reads or writes, once), of its contractions, whose CTA tiles reload their
// operands, and of recomputation: an operation with fewer loops than the group
// is repeated. Traffic is slower in a kernel with contractions, whose CTAs
// limit occupancy. Costs that all fusion decisions share are left out. The
// figures are those of one large GPU; only their ratios matter.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_GROUPCOST_H
#define STOF_COSTMODEL_GROUPCOST_H

#include "stof/CostModel/CostModel.h"
#include "stof/Fusion/GroupBranches.h"

namespace stof {

/// Launch latency of back-to-back kernels, in microseconds.
constexpr double launchTime = 2.5;

struct GroupCost {
  /// Bytes of all inputs and results.
  double bytes = 0;
  double microseconds = 0;
};

/// The cost model of `target`, or of a default GPU if `target` has none.
CostModel getCostModel(const TargetInfo *target);

/// The time to read or write `bytes` of memory, in microseconds.
double estimateTraffic(double bytes);

/// The work of the contractions of a kernel with the fastest tiles on `target`;
/// `bytes` as in MatmulTile.h, for all of them.
KernelWork countMatmulsWork(const GroupBranches &branches,
                            const TargetInfo *target, int64_t bytes);

/// The cost of a legal group on `target`, with dynamic sizes estimated.
GroupCost estimateCost(const GroupBranches &branches, const TargetInfo *target);

} // namespace stof

#endif // STOF_COSTMODEL_GROUPCOST_H

//===----------------------------------------------------------------------===//
// The columns of a contraction that a tile must not split, since its epilogue
// reduces them or reads others than its own, e.g. of the other half of a head:
//
//     y[s, d] = x[s, d] * cos[s, d] + (d < 32 ? -x[s, d + 32] : x[s, d - 32])
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_UNSPLITCOLUMNS_H
#define STOF_FUSION_UNSPLITCOLUMNS_H

#include "stof/Fusion/OperationRoles.h"

namespace stof {

/// The dim factors of these columns, in no particular order. Refuses dynamic
/// ones, reductions of other dims, and reads at computed indices that leave the
/// columns.
PlanResult<DimFactors> findUnsplitColumns(const GroupMembers &members,
                                          const GroupLoops &loops,
                                          const OperationRoles &roles);

} // namespace stof

#endif // STOF_FUSION_UNSPLITCOLUMNS_H

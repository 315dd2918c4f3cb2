//===----------------------------------------------------------------------===//
// The part of the iteration space that the tiles of a kernel cover.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPDOMAIN_H
#define STOF_FUSION_GROUPDOMAIN_H

#include "stof/Fusion/GroupPrologues.h"

namespace stof {

struct GroupDomain {
  /// All dim factors, in order of first use.
  DimFactors all;
  /// Those that row reductions reduce.
  DimFactors reduced;
};

/// Refuses reductions of different dims, and operations or results that cover
/// neither all of the domain nor, where rows are reduced, its rows.
PlanResult<GroupDomain> findDomain(const GroupMembers &members,
                                   const GroupLoops &loops,
                                   const OperationRoles &roles,
                                   const GroupPrologues &prologues);

} // namespace stof

#endif // STOF_FUSION_GROUPDOMAIN_H

//===----------------------------------------------------------------------===//
// Checks that tiles exist for all contractions of a group.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_FEASIBLETILES_H
#define STOF_COSTMODEL_FEASIBLETILES_H

#include "stof/Fusion/GroupBranches.h"
#include "stof/Support/TargetInfo.h"

namespace stof {

/// Plans the group of `members`, as GroupBranches does. Also refuses it if
/// `target`, or the CPU if it is null, has no tiles for one of its
/// contractions, or none with the same number of warps for all of them.
PlanResult<GroupBranches> planGroup(llvm::ArrayRef<mlir::Operation *> members,
                                    const TargetInfo *target);

} // namespace stof

#endif // STOF_COSTMODEL_FEASIBLETILES_H

//===----------------------------------------------------------------------===//
// Refuses groups whose contractions have no tiles.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/MatmulTile.h"

using namespace mlir;
using namespace stof;

PlanResult<GroupBranches> stof::planGroup(ArrayRef<Operation *> members,
                                          const TargetInfo *target) {
  auto haveTiles = [&](ArrayRef<const GroupPlan *> plans) {
    return !chooseMatmulTiles(plans, target).empty();
  };
  PlanResult<GroupBranches> group = GroupBranches::of(members);
  if (!group)
    return group;
  SmallVector<const GroupPlan *> contractions;
  for (const GroupPlan &branch : group->getBranches())
    if (branch.getTemplate() == GroupTemplate::Contraction)
      contractions.push_back(&branch);
  for (const GroupPlan *plan : contractions)
    if (!plan->getBackToBack().empty() && !haveTiles(plan))
      return Refusal(plan->getMainOperation(),
                     "its full-N tile has too few rows for tiles of " +
                         describeOperation(plan->getBackToBack().front()));
  if (contractions.size() > 1 && !haveTiles(contractions))
    return Refusal(contractions.back()->getMainOperation(),
                   "its tiles need another number of warps than those of the "
                   "other branches");
  return group;
}

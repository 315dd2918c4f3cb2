//===----------------------------------------------------------------------===//
// Rejects groups whose contractions have no tiles.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/MatmulTile.h"

using namespace mlir;
using namespace stof;

GroupBranches stof::planGroup(ArrayRef<Operation *> members,
                              const TargetInfo *target) {
  auto haveTiles = [&](ArrayRef<const GroupPlan *> plans) {
    return !chooseMatmulTiles(plans, target).empty();
  };
  GroupBranches group(members);
  if (!group.isLegal())
    return group;
  SmallVector<const GroupPlan *> contractions;
  for (const GroupPlan &branch : group.getBranches())
    if (branch.getTemplate() == GroupTemplate::Contraction)
      contractions.push_back(&branch);
  for (const GroupPlan *plan : contractions)
    if (!plan->getBackToBack().empty() && !haveTiles(plan)) {
      group.refuse(plan->getMainOperation(),
                   "its full-N tile has too few rows for tiles of " +
                       describeOperation(plan->getBackToBack().front()));
      return group;
    }
  if (contractions.size() > 1 && !haveTiles(contractions))
    group.refuse(contractions.back()->getMainOperation(),
                 "its tiles need another number of warps than those of the "
                 "other branches");
  return group;
}

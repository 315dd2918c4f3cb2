//===----------------------------------------------------------------------===//
// Rejects groups whose contractions have no tiles.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/MatmulTile.h"

using namespace mlir;
using namespace stof;

/// Whether `plans` have tiles with a common number of warps on every target.
static bool haveShapes(ArrayRef<const GroupPlan *> plans) {
  constexpr StringLiteral chips[] = {"", "sm_80", "sm_90a"};
  return llvm::none_of(chips, [&](StringRef chip) {
    return chooseMatmulTiles(plans, chip).empty();
  });
}

GroupBranches stof::planGroup(ArrayRef<Operation *> members) {
  GroupBranches group(members);
  if (!group.isLegal())
    return group;
  SmallVector<const GroupPlan *> contractions;
  for (const GroupPlan &branch : group.getBranches())
    if (branch.getTemplate() == GroupTemplate::Contraction)
      contractions.push_back(&branch);
  for (const GroupPlan *plan : contractions)
    if (!plan->getBackToBack().empty() && !haveShapes(plan)) {
      group.refuse(plan->getMainOperation(),
                   "its full-N tile has too few rows for tiles of " +
                       describeOperation(plan->getBackToBack().front()));
      return group;
    }
  if (contractions.size() > 1 && !haveShapes(contractions))
    group.refuse(contractions.back()->getMainOperation(),
                 "its tiles need another number of warps than those of the "
                 "other branches");
  return group;
}

//===----------------------------------------------------------------------===//
// Groups that no tiles fit have no kernel.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/ContractionShape.h"

using namespace mlir;
using namespace stof;

/// Whether one number of warps serves the tiles of all `plans`.
static bool haveShapes(ArrayRef<const GroupPlan *> plans) {
  constexpr StringLiteral chips[] = {"", "sm_80", "sm_90a"};
  return llvm::none_of(chips, [&](StringRef chip) {
    return chooseContractionShapes(plans, chip).empty();
  });
}

GroupSections stof::planGroup(ArrayRef<Operation *> members) {
  GroupSections group(members);
  if (!group.isLegal())
    return group;
  SmallVector<const GroupPlan *> products;
  for (const GroupPlan &section : group.getSections())
    if (section.getTemplate() == GroupTemplate::Contraction)
      products.push_back(&section);
  for (const GroupPlan *plan : products)
    if (!plan->getChained().empty() && !haveShapes(plan)) {
      group.refuse(plan->getMainOperation(),
                   "its columns belong together, and leave too few rows for "
                   "tiles of what " +
                       describeOperation(plan->getChained().front()) +
                       " computes");
      return group;
    }
  if (products.size() > 1 && !haveShapes(products))
    group.refuse(products.back()->getMainOperation(),
                 "its tiles take other numbers of warps than those of the "
                 "products beside it");
  return group;
}

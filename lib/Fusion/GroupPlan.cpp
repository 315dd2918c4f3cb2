//===----------------------------------------------------------------------===//
// The steps of a plan in order.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"
#include "stof/Fusion/RelateLoops.h"
#include "stof/Fusion/ShareMainloop.h"
#include "stof/Fusion/UnsplitColumns.h"

using namespace mlir;
using namespace stof;

GroupPlan::GroupPlan(GroupMembers members, GroupLoops loops,
                     OperationRoles roles, GroupPrologues prologues,
                     GroupAxes axes)
    : members(std::move(members)), loops(std::move(loops)),
      roles(std::move(roles)), prologues(std::move(prologues)),
      axes(std::move(axes)) {}

PlanResult<GroupPlan> GroupPlan::of(ArrayRef<Operation *> ops) {
  PlanResult<GroupMembers> members = collectMembers(ops);
  if (!members)
    return members.getRefusal();
  if (members->isAttention) {
    OperationRoles roles;
    roles.kind = GroupTemplate::Attention;
    return GroupPlan(*members, GroupLoops(), roles, GroupPrologues(),
                     GroupAxes());
  }
  PlanResult<GroupLoops> related = relateLoops(*members);
  if (!related)
    return related.getRefusal();
  OperationRoles roles = assignRoles(*members, *related);
  PlanResult<GroupPrologues> prologues =
      findPrologues(*members, *related, roles);
  if (!prologues)
    return prologues.getRefusal();
  PlanResult<GroupLoops> loops =
      shareMainloop(*members, std::move(*related), roles);
  if (!loops)
    return loops.getRefusal();
  PlanResult<DimFactors> unsplit = findUnsplitColumns(*members, *loops, roles);
  if (!unsplit)
    return unsplit.getRefusal();
  PlanResult<GroupDomain> domain =
      findDomain(*members, *loops, roles, *prologues);
  if (!domain)
    return domain.getRefusal();
  PlanResult<GroupAxes> axes =
      chooseAxes({*members, *loops, roles, *prologues, *domain, *unsplit});
  if (!axes)
    return axes.getRefusal();
  return GroupPlan(std::move(*members), std::move(*loops), std::move(roles),
                   std::move(*prologues), std::move(*axes));
}

const ReductionFactors &
GroupPlan::getReductionFactors(linalg::LinalgOp contraction) const {
  // Contractions that share a mainloop share its K dims.
  Operation *own =
      isBackToBack(contraction) ? contraction : roles.contractions.front();
  auto found = axes.reductions.find(own);
  assert(found != axes.reductions.end() && "expects a contraction");
  return found->second;
}

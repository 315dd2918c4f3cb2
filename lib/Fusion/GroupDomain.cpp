//===----------------------------------------------------------------------===//
// Coverage of the iteration space.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupDomain.h"

#include "llvm/ADT/SetOperations.h"

using namespace mlir;
using namespace stof;

using FactorSet = llvm::SmallDenseSet<unsigned, 8>;

static FactorSet makeSet(ArrayRef<unsigned> dimFactors) {
  return FactorSet(dimFactors.begin(), dimFactors.end());
}

/// The dim factors that tiles of `op` have to cover.
static DimFactors getCovered(linalg::LinalgOp op, const GroupLoops &loops,
                             const OperationRoles &roles) {
  return roles.getRole(op) == OperationRole::Reduction
             ? loops.getIterationDimFactors(op)
             : loops.getParallelDimFactors(op);
}

/// The dims that the reductions outside of prologues reduce.
static PlanResult<DimFactors> findReduced(const GroupMembers &members,
                                          const GroupLoops &loops,
                                          const OperationRoles &roles,
                                          const GroupPrologues &prologues) {
  DimFactors reduced;
  for (linalg::LinalgOp op : members.operations) {
    if (prologues.contains(op) || roles.getRole(op) != OperationRole::Reduction)
      continue;
    DimFactors own = loops.getReducedDimFactors(op);
    if (!reduced.empty() && makeSet(reduced) != makeSet(own))
      return Refusal(op, "it reduces other dims than the preceding reduction");
    reduced = own;
  }
  return reduced;
}

namespace {
/// What operations and results have to cover.
struct Coverage {
  FactorSet all;
  /// All but the reduced dims: where rows are reduced, some operations have one
  /// value per row.
  FactorSet outer;
  bool hasRows;

  bool isCoveredBy(const FactorSet &own) const {
    return own == all || (hasRows && own == outer);
  }
};
} // namespace

static std::optional<Refusal> refuseUncovered(const Coverage &coverage,
                                              const GroupMembers &members,
                                              const GroupLoops &loops,
                                              const OperationRoles &roles,
                                              const GroupPrologues &prologues) {
  for (linalg::LinalgOp op : members.operations) {
    if (prologues.contains(op))
      continue;
    FactorSet own = makeSet(getCovered(op, loops, roles));
    if (!llvm::set_is_subset(own, coverage.all))
      return Refusal(op, "its iteration space is not contained in that of " +
                             describeOperation(roles.getMain(members)));
    if (!coverage.isCoveredBy(own) && roles.getRole(op) == OperationRole::Map &&
        op.getNumReductionLoops() > 0)
      return Refusal(op, "its reduction would be repeated");
  }
  for (OpResult result : members.results)
    if (!coverage.isCoveredBy(makeSet(loops.getValueDimFactors(result))))
      return Refusal(
          result.getOwner(),
          "its result does not cover the iteration space of the group");
  return std::nullopt;
}

PlanResult<GroupDomain> stof::findDomain(const GroupMembers &members,
                                         const GroupLoops &loops,
                                         const OperationRoles &roles,
                                         const GroupPrologues &prologues) {
  PlanResult<DimFactors> reduced =
      findReduced(members, loops, roles, prologues);
  if (!reduced)
    return reduced.getRefusal();
  Coverage coverage;
  for (linalg::LinalgOp op : members.operations)
    if (!prologues.contains(op) &&
        (roles.contractions.empty() ||
         roles.getRole(op) == OperationRole::Contraction))
      llvm::set_union(coverage.all, makeSet(getCovered(op, loops, roles)));
  coverage.outer = coverage.all;
  llvm::set_subtract(coverage.outer, makeSet(*reduced));
  coverage.hasRows = roles.kind == GroupTemplate::Rows || !reduced->empty();
  if (std::optional<Refusal> refusal =
          refuseUncovered(coverage, members, loops, roles, prologues))
    return *refusal;
  GroupDomain domain;
  domain.reduced = *reduced;
  for (linalg::LinalgOp op : members.operations)
    for (unsigned dimFactor : getCovered(op, loops, roles))
      if (coverage.all.contains(dimFactor) &&
          !llvm::is_contained(domain.all, dimFactor))
        domain.all.push_back(dimFactor);
  return domain;
}

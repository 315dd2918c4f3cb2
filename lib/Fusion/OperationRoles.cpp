//===----------------------------------------------------------------------===//
// Assignment of roles.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/OperationRoles.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stof;

/// The operations of the group that operands of `contractions` are computed
/// from.
static llvm::SetVector<Operation *>
findBefore(ArrayRef<linalg::LinalgOp> contractions, const GroupLoops &loops) {
  llvm::SetVector<Operation *> before;
  auto addOrigin = [&](Value value) {
    if (loops.isInner(value))
      before.insert(getOrigin(value).getOwner());
  };
  for (linalg::LinalgOp contraction : contractions)
    llvm::for_each(contraction.getDpsInputs(), addOrigin);
  for (size_t next = 0; next < before.size(); ++next)
    llvm::for_each(before[next]->getOperands(), addOrigin);
  return before;
}

static OperationRole findRole(linalg::LinalgOp op, const GroupLoops &loops) {
  if (getContractionLoops(op))
    return OperationRole::Contraction;
  // Loops of one iteration reduce nothing.
  bool reduces = !loops.getReducedDimFactors(op).empty() && getCombiner(op);
  return reduces ? OperationRole::Reduction : OperationRole::Map;
}

OperationRoles stof::assignRoles(const GroupMembers &members,
                                 const GroupLoops &loops) {
  OperationRoles roles;
  SmallVector<linalg::LinalgOp> contractions;
  for (linalg::LinalgOp op : members.operations) {
    OperationRole role = findRole(op, loops);
    roles.roles[op] = role;
    if (role == OperationRole::Contraction)
      contractions.push_back(op);
    else if (role == OperationRole::Reduction)
      roles.kind = GroupTemplate::Rows;
  }
  if (!contractions.empty())
    roles.kind = GroupTemplate::Contraction;
  llvm::SetVector<Operation *> before = findBefore(contractions, loops);
  for (linalg::LinalgOp op : contractions)
    (before.contains(op) ? roles.backToBack : roles.contractions).push_back(op);
  return roles;
}

bool stof::isRowValued(linalg::LinalgOp op, ArrayRef<unsigned> columns,
                       const GroupLoops &loops, const OperationRoles &roles) {
  if (roles.getRole(op) == OperationRole::Reduction)
    return true;
  if (columns.empty())
    return roles.kind == GroupTemplate::Rows;
  return llvm::none_of(loops.getParallelDimFactors(op),
                       [&](unsigned dimFactor) {
                         return llvm::is_contained(columns, dimFactor);
                       });
}

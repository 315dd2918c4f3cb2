//===----------------------------------------------------------------------===//
// Producers of the operands of contractions.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPrologues.h"

using namespace mlir;
using namespace stof;

ArrayRef<linalg::LinalgOp> GroupPrologues::get(Value operand,
                                               const GroupLoops &loops) const {
  if (!loops.isInner(operand))
    return {};
  auto found = ofOrigin.find(getOrigin(operand));
  return found == ofOrigin.end() ? ArrayRef<linalg::LinalgOp>()
                                 : ArrayRef<linalg::LinalgOp>(found->second);
}

/// The producers of `operand`, a value of the group.
static PlanResult<GroupPrologues::Producers>
findProducers(OpOperand &operand, const GroupMembers &members,
              const GroupLoops &loops, const OperationRoles &roles) {
  auto contraction = cast<linalg::LinalgOp>(operand.getOwner());
  llvm::SmallPtrSet<Operation *, 4> needed;
  needed.insert(getOrigin(operand.get()).getOwner());
  GroupPrologues::Producers producers;
  for (linalg::LinalgOp op : llvm::reverse(members.operations)) {
    if (!needed.contains(op))
      continue;
    bool isContraction = roles.isBackToBack(op);
    if (isContraction && roles.isBackToBack(contraction))
      return Refusal(contraction,
                     "its operand depends on " + describeOperation(op) +
                         ", and its result feeds another contraction");
    if (!isContraction && op.getNumReductionLoops() > 0)
      return Refusal(op, "its reduction would be repeated for each tile of " +
                             describeOperation(contraction));
    // Its loops are among those of its reader.
    producers.insert(producers.begin(), op);
    for (Value value : isContraction ? ValueRange(op.getDpsInits())
                                     : ValueRange(op->getOperands()))
      if (loops.isInner(value))
        needed.insert(getOrigin(value).getOwner());
  }
  return producers;
}

/// Results of producers exist only within the mainloop.
static std::optional<Refusal>
refuseOtherReaders(const GroupMembers &members, const GroupLoops &loops,
                   const OperationRoles &roles,
                   const GroupPrologues &prologues) {
  auto isProduced = [&](Value value) {
    return loops.isInner(value) &&
           prologues.contains(getOrigin(value).getOwner());
  };
  for (const ElementRead &read : loops.getElementReads())
    if (prologues.contains(read.reader) || isProduced(read.getTensor()))
      return Refusal(
          read.reader,
          "it reads the result of " +
              describeOperation(getOrigin(read.getTensor()).getOwner()) +
              " at computed indices");
  for (linalg::LinalgOp op : members.operations)
    for (OpOperand &operand : op->getOpOperands())
      if (isProduced(operand.get()) && !prologues.contains(op) &&
          (roles.getRole(op) != OperationRole::Contraction ||
           op.isDpsInit(&operand)))
        return Refusal(op, "it reads the result of a producer, which exists "
                           "only in the mainloop");
  for (OpResult result : members.results)
    if (prologues.contains(result.getOwner()))
      return Refusal(
          result.getOwner(),
          "it is a producer, but its result is used outside of the group");
  return std::nullopt;
}

PlanResult<GroupPrologues> stof::findPrologues(const GroupMembers &members,
                                               const GroupLoops &loops,
                                               const OperationRoles &roles) {
  GroupPrologues prologues;
  for (linalg::LinalgOp contraction : llvm::concat<const linalg::LinalgOp>(
           roles.contractions, roles.backToBack))
    for (OpOperand *operand : contraction.getDpsInputOperands()) {
      if (!loops.isInner(operand->get()))
        continue;
      PlanResult<GroupPrologues::Producers> producers =
          findProducers(*operand, members, loops, roles);
      if (!producers)
        return producers.getRefusal();
      prologues.add(getOrigin(operand->get()), *producers);
    }
  if (std::optional<Refusal> refusal =
          refuseOtherReaders(members, loops, roles, prologues))
    return *refusal;
  return prologues;
}

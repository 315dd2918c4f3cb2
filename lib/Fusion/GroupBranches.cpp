//===----------------------------------------------------------------------===//
// Branches of a group: split by data flow, joined by common inputs.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupBranches.h"
#include "stof/IR/Stof.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace stof;

/// All values that `op` reads, including those captured by its regions.
static llvm::SetVector<Value> getRead(Operation *op) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return read;
}

using Part = SmallVector<Operation *>;

/// The connected components of the data flow among `members`, without
/// operations that only forward inputs.
static SmallVector<Part> splitByFlow(ArrayRef<Operation *> members) {
  llvm::EquivalenceClasses<Operation *> flow;
  for (Operation *op : members) {
    if (isGroupable(op))
      flow.insert(op);
    for (Value value : getRead(op))
      if (Operation *source = value.getDefiningOp();
          source && flow.contains(source))
        flow.unionSets(source, op);
  }
  llvm::MapVector<Operation *, Part> parts;
  for (Operation *op : members)
    if (flow.contains(op))
      parts[flow.getLeaderValue(op)].push_back(op);
  return llvm::map_to_vector(parts, [](auto &part) { return part.second; });
}

/// The tensor inputs of a part.
static llvm::SmallDenseSet<Value> getTaken(ArrayRef<Operation *> part) {
  llvm::SmallDenseSet<Value> taken;
  for (Operation *op : part)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      for (Value input : linalgOp.getDpsInputs())
        if (isa<ShapedType>(input.getType()) &&
            !llvm::is_contained(part, input.getDefiningOp()))
          taken.insert(input);
  return taken;
}

/// Merges parts that read the same tensors and have a common plan: the tensors
/// are then read once.
static SmallVector<Part> joinReaders(ArrayRef<Operation *> members,
                                     ArrayRef<Part> parts) {
  SmallVector<Part> joined;
  for (const Part &part : parts) {
    llvm::SmallDenseSet<Value> taken = getTaken(part);
    Part *found = llvm::find_if(joined, [&](Part &other) {
      if (llvm::none_of(getTaken(other),
                        [&](Value value) { return taken.contains(value); }))
        return false;
      Part both = llvm::filter_to_vector(members, [&](Operation *op) {
        return llvm::is_contained(part, op) || llvm::is_contained(other, op);
      });
      if (!GroupPlan(both).isLegal())
        return false;
      other = both;
      return true;
    });
    if (found == joined.end())
      joined.push_back(part);
  }
  return joined;
}

GroupBranches::GroupBranches(ArrayRef<Operation *> members) {
  branches.emplace_back(members);
  if (!members.empty() && !checkOrder(members))
    return;
  bool hasAttention =
      llvm::any_of(members, [](Operation *op) { return isa<AttentionOp>(op); });
  if (!branches.front().isLegal() && !hasAttention)
    if (SmallVector<Part> parts = splitByFlow(members); parts.size() > 1)
      plan(joinReaders(members, parts));
  for (const GroupPlan &branch : branches)
    if (!branch.isLegal()) {
      refuse(branch.getCulprit(), branch.getReason());
      return;
    }
}

void GroupBranches::plan(ArrayRef<SmallVector<Operation *>> parts) {
  SmallVector<GroupPlan, 0> plans;
  for (ArrayRef<Operation *> part : parts)
    plans.emplace_back(part);
  branches.clear();
  for (GroupTemplate kind : {GroupTemplate::Contraction, GroupTemplate::Rows,
                             GroupTemplate::Elementwise})
    for (const GroupPlan &plan : plans)
      if (plan.getTemplate() == kind)
        branches.push_back(plan);
}

bool GroupBranches::refuse(Operation *op, StringRef why) {
  culprit = op;
  reason = why.str();
  return false;
}

SmallVector<linalg::LinalgOp> GroupBranches::getOperations() const {
  SmallVector<linalg::LinalgOp> operations;
  for (const GroupPlan &branch : branches)
    llvm::append_range(operations, branch.getOperations());
  return operations;
}

SmallVector<OpResult> GroupBranches::getResults() const {
  SmallVector<OpResult> results;
  for (const GroupPlan &branch : branches)
    llvm::append_range(results, branch.getResults());
  return results;
}

bool GroupBranches::checkOrder(ArrayRef<Operation *> members) {
  // An operation between members must not use one and be needed by another.
  llvm::SmallPtrSet<Operation *, 16> set(members.begin(), members.end());
  Operation *first = members.front();
  for (Operation *member : members)
    if (member->isBeforeInBlock(first))
      first = member;
  llvm::SmallDenseSet<Operation *> seen;
  SmallVector<Operation *> worklist;
  auto addOperands = [&](Operation *op) {
    for (Value value : getRead(op)) {
      Operation *source = value.getDefiningOp();
      if (source && source->getBlock() == first->getBlock() &&
          first->isBeforeInBlock(source) && !set.contains(source) &&
          seen.insert(source).second)
        worklist.push_back(source);
    }
  };
  for (Operation *member : members)
    addOperands(member);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    for (Value value : getRead(op))
      if (set.contains(value.getDefiningOp()))
        return refuse(
            op, describeOperation(op) +
                    " uses a result of the group and defines an operand of it");
    addOperands(op);
  }
  return true;
}

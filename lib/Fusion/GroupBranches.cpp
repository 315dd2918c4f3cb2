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

/// Each branch adds its own code to the kernel; what a launch costs is not
/// worth the time that compilers take for the code of dozens of them.
static constexpr size_t mostBranches = 8;

namespace {
struct PlannedPart {
  Part members;
  PlanResult<GroupPlan> plan;
};
} // namespace

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
static SmallVector<PlannedPart, 0> joinReaders(ArrayRef<Operation *> members,
                                               ArrayRef<Part> parts) {
  SmallVector<PlannedPart, 0> joined;
  for (const Part &part : parts) {
    llvm::SmallDenseSet<Value> taken = getTaken(part);
    PlannedPart *found = llvm::find_if(joined, [&](PlannedPart &other) {
      if (llvm::none_of(getTaken(other.members),
                        [&](Value value) { return taken.contains(value); }))
        return false;
      Part both = llvm::filter_to_vector(members, [&](Operation *op) {
        return llvm::is_contained(part, op) ||
               llvm::is_contained(other.members, op);
      });
      PlanResult<GroupPlan> plan = GroupPlan::of(both);
      if (!plan)
        return false;
      other = {std::move(both), std::move(plan)};
      return true;
    });
    if (found == joined.end())
      joined.push_back({part, GroupPlan::of(part)});
  }
  return joined;
}

/// An operation between members must not use one and be needed by another.
static std::optional<Refusal> refuseBetween(ArrayRef<Operation *> members) {
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
        return Refusal(
            op, describeOperation(op) +
                    " uses a result of the group and defines an operand of it");
    addOperands(op);
  }
  return std::nullopt;
}

PlanResult<GroupBranches> GroupBranches::of(ArrayRef<Operation *> members) {
  if (!members.empty())
    if (std::optional<Refusal> refusal = refuseBetween(members))
      return *refusal;
  GroupBranches group;
  PlanResult<GroupPlan> whole = GroupPlan::of(members);
  if (whole) {
    group.branches.push_back(std::move(*whole));
    return group;
  }
  SmallVector<Part> parts = splitByFlow(members);
  if (parts.size() <= 1 || llvm::any_of(members, llvm::IsaPred<AttentionOp>))
    return whole.getRefusal();
  SmallVector<PlannedPart, 0> joined = joinReaders(members, parts);
  for (const PlannedPart &part : joined)
    if (!part.plan)
      return part.plan.getRefusal();
  if (joined.size() > mostBranches)
    return Refusal(joined[mostBranches].members.front(),
                   "it starts another branch of a kernel that has " +
                       Twine(mostBranches));
  // CTAs with more work start first.
  for (PlannedPart &part : joined) {
    GroupPlan *next = llvm::find_if(group.branches, [&](GroupPlan &branch) {
      return branch.getTemplate() < part.plan->getTemplate();
    });
    group.branches.insert(next, std::move(*part.plan));
  }
  return group;
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

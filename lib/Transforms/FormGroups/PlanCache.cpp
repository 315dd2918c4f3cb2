//===----------------------------------------------------------------------===//
// Planning of sequences.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/FormGroups/PlanCache.h"
#include "stof/Transforms/FormGroups/Steps.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "stof-form-groups"

using namespace mlir;
using namespace stof;

OpSequence stof::addReshapes(ArrayRef<Operation *> sequence) {
  llvm::SetVector<Operation *> members;
  llvm::SmallPtrSet<Operation *, 16> set(sequence.begin(), sequence.end());
  for (Operation *op : sequence) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used) {
      OpSequence chain;
      Operation *source = value.getDefiningOp();
      while (source && isReshape(source) && !members.contains(source)) {
        chain.push_back(source);
        source = source->getOperand(0).getDefiningOp();
      }
      if (source && (set.contains(source) || members.contains(source)))
        members.insert_range(llvm::reverse(chain));
    }
    members.insert(op);
  }
  return members.takeVector();
}

const SequencePlan &PlanCache::getPlan(ArrayRef<Operation *> sequence) {
  assert(!sequence.empty() && "expects an operation");
  OpSequence key(sequence);
  if (auto found = plans.find(key); found != plans.end())
    return found->second;
  const SequencePlan &plan =
      plans.emplace(std::move(key), planGroup(addReshapes(sequence), target))
          .first->second;
  if (plan) {
    size_t branches = plan->getBranches().size();
    LDBG() << describeSequence(sequence) << ": a kernel of " << branches
           << (branches == 1 ? " branch" : " branches");
  } else {
    LDBG() << describeSequence(sequence) << ": no kernel, since "
           << describeOperation(plan.getRefusal().op) << ": "
           << plan.getRefusal().reason;
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Planning of sequences.
//===----------------------------------------------------------------------===//

#include "PlanCache.h"
#include "FormGroups.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "stof-form-groups"

using namespace mlir;
using namespace stof;

Run stof::addReshapes(ArrayRef<Operation *> run) {
  llvm::SetVector<Operation *> members;
  llvm::SmallPtrSet<Operation *, 16> set(run.begin(), run.end());
  for (Operation *op : run) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used) {
      Run chain;
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

const RunPlan &PlanCache::getPlan(ArrayRef<Operation *> run) {
  Run key(run);
  if (auto found = plans.find(key); found != plans.end())
    return found->second;
  const RunPlan &plan =
      plans.emplace(std::move(key), planGroup(addReshapes(run), target))
          .first->second;
  if (plan) {
    size_t branches = plan->getBranches().size();
    LDBG() << describeRun(run) << ": a kernel of " << branches
           << (branches == 1 ? " branch" : " branches");
  } else {
    LDBG() << describeRun(run) << ": no kernel, since "
           << describeOperation(plan.getRefusal().op) << ": "
           << plan.getRefusal().reason;
  }
  return plan;
}

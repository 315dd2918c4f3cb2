//===----------------------------------------------------------------------===//
// The plans of sequences of operations, each of which is made once.
//
// A plan names the operations of its sequence, the values that they read, and
// which of their results have other uses. It is valid as long as none of these
// change: a cache lives from the simplification of a function to the forming of
// its first group. Plans that are needed meanwhile are taken from the cache
// before. A group that is lowered is planned by the same function again, since
// its operations read arguments of the group, and since passes may have changed
// them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_FORMGROUPS_PLANCACHE_H
#define STOF_LIB_TRANSFORMS_FORMGROUPS_PLANCACHE_H

#include "stof/CostModel/FeasibleTiles.h"

#include <map>

namespace stof {

/// A sequence of operations that share a kernel.
using Run = llvm::SmallVector<mlir::Operation *>;

using RunPlan = PlanResult<GroupBranches>;

/// `run` and the reshapes between its operations, in order.
Run addReshapes(llvm::ArrayRef<mlir::Operation *> run);

class PlanCache {
public:
  /// `target` is null for the CPU.
  explicit PlanCache(const TargetInfo *target) : target(target) {}

  const TargetInfo *getTarget() const { return target; }

  /// The plan of `run` with the reshapes between its operations. References
  /// stay valid when other plans are made.
  const RunPlan &getPlan(llvm::ArrayRef<mlir::Operation *> run);

private:
  const TargetInfo *target;
  std::map<Run, RunPlan> plans;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_FORMGROUPS_PLANCACHE_H

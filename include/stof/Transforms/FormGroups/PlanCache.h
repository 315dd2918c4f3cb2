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

#ifndef STOF_TRANSFORMS_FORMGROUPS_PLANCACHE_H
#define STOF_TRANSFORMS_FORMGROUPS_PLANCACHE_H

#include "stof/CostModel/FeasibleTiles.h"

#include <map>

namespace stof {

/// Operations that may share a kernel, in program order.
using OpSequence = llvm::SmallVector<mlir::Operation *>;

using SequencePlan = PlanResult<GroupBranches>;

/// `sequence` and the reshapes between its operations, in order.
OpSequence addReshapes(llvm::ArrayRef<mlir::Operation *> sequence);

class PlanCache {
public:
  /// `target` is null for the CPU.
  explicit PlanCache(const TargetInfo *target) : target(target) {}

  const TargetInfo *getTarget() const { return target; }

  /// The plan of `sequence` with the reshapes between its operations.
  /// References stay valid when other plans are made.
  const SequencePlan &getPlan(llvm::ArrayRef<mlir::Operation *> sequence);

private:
  const TargetInfo *target;
  std::map<OpSequence, SequencePlan> plans;
};

} // namespace stof

#endif // STOF_TRANSFORMS_FORMGROUPS_PLANCACHE_H

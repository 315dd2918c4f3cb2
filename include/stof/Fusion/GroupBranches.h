//===----------------------------------------------------------------------===//
// Branches of a group.
//
// A group is one computation over one iteration space (GroupPlan.h) or, if it
// has no such plan, one per branch; branches that read the same tensors and
// have a common plan are merged. One kernel computes them all: the CTAs of each
// branch are consecutive in the grid, and a CTA finds its branch by its index.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPBRANCHES_H
#define STOF_FUSION_GROUPBRANCHES_H

#include "stof/Fusion/GroupPlan.h"

namespace stof {

class GroupBranches {
public:
  /// Plans the group of `members`: its operations in order and the reshapes
  /// between them. Other operations may only forward inputs. Also refuses a
  /// group if an operation outside of it uses one of its results and defines
  /// one of its operands.
  static PlanResult<GroupBranches>
  of(llvm::ArrayRef<mlir::Operation *> members);

  /// Ordered by decreasing duration of their CTAs, which lets short ones fill
  /// the last wave.
  llvm::ArrayRef<GroupPlan> getBranches() const { return branches; }
  bool isAttention() const {
    return branches.front().getTemplate() == GroupTemplate::Attention;
  }
  /// The operations of all branches, without attention.
  llvm::SmallVector<mlir::linalg::LinalgOp> getOperations() const;
  /// Results with uses outside the group.
  llvm::SmallVector<mlir::OpResult> getResults() const;

private:
  llvm::SmallVector<GroupPlan, 0> branches;
};

} // namespace stof

#endif // STOF_FUSION_GROUPBRANCHES_H

//===----------------------------------------------------------------------===//
// The operations of a group and what others read of it: the first step of a
// plan.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPMEMBERS_H
#define STOF_FUSION_GROUPMEMBERS_H

#include "stof/Fusion/GroupOperations.h"
#include "stof/Fusion/PlanResult.h"

namespace stof {

struct GroupMembers {
  /// The operations and the reshapes between them, in order.
  llvm::SmallVector<mlir::Operation *> all;
  /// The operations in order, without attention.
  llvm::SmallVector<mlir::linalg::LinalgOp> operations;
  /// Results with uses outside the group.
  llvm::SmallVector<mlir::OpResult> results;
  /// Whether it is an attention, which shares its kernel with nothing.
  bool isAttention = false;
};

/// The members of the group of `ops`: its operations in order and the reshapes
/// between them. Other operations are ignored. Refuses attention among others,
/// element types that no kernel supports, and groups without results.
PlanResult<GroupMembers> collectMembers(llvm::ArrayRef<mlir::Operation *> ops);

} // namespace stof

#endif // STOF_FUSION_GROUPMEMBERS_H

//===----------------------------------------------------------------------===//
// The role of each operation in its group, which the template of the kernel
// follows from:
//
//   elementwise   every operation maps elements;
//   rows          one reduces;
//   contraction   one contracts.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_OPERATIONROLES_H
#define STOF_FUSION_OPERATIONROLES_H

#include "stof/Fusion/GroupLoops.h"

namespace stof {

/// In the order of work: branches of a grid are in the reverse one.
enum class GroupTemplate { Elementwise, Rows, Contraction, Attention };

enum class OperationRole {
  /// Elementwise; reduction loops run per element.
  Map,
  /// Reduces the columns.
  Reduction,
  Contraction
};

struct OperationRoles {
  GroupTemplate kind = GroupTemplate::Elementwise;
  /// The contractions that operands of no other contraction are computed from,
  /// and the others (back-to-back GEMM).
  llvm::SmallVector<mlir::linalg::LinalgOp, 2> contractions, backToBack;
  llvm::DenseMap<mlir::Operation *, OperationRole> roles;

  OperationRole getRole(mlir::linalg::LinalgOp op) const {
    return roles.at(op);
  }
  /// The first contraction, else the first operation.
  mlir::linalg::LinalgOp getMain(const GroupMembers &members) const {
    return contractions.empty() ? members.operations.front()
                                : contractions.front();
  }
  bool isBackToBack(mlir::linalg::LinalgOp op) const {
    return llvm::is_contained(backToBack, op);
  }
};

OperationRoles assignRoles(const GroupMembers &members,
                           const GroupLoops &loops);

/// Whether `op` has one value for all of `columns`.
bool isRowValued(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> columns,
                 const GroupLoops &loops, const OperationRoles &roles);

} // namespace stof

#endif // STOF_FUSION_OPERATIONROLES_H

//===----------------------------------------------------------------------===//
// Producers that are fused into the operands of a contraction.
//
// A producer has the loops of its operand, or some of them:
//
//     y[s, n] = sum over k of (x[s, k] * scale[k]) * w[k, n]
//
// A CTA computes it for the operand tiles of its mainloop; it is recomputed for
// each CTA tile that reads the same elements. Producers may include
// contractions with tiles of the operand as their CTA tiles (back-to-back
// GEMM):
//
//     y[s, n] = sum over h of gelu(sum over k of x[s, k] * u[k, h]) * w[h, n]
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPPROLOGUES_H
#define STOF_FUSION_GROUPPROLOGUES_H

#include "stof/Fusion/OperationRoles.h"

namespace stof {

class GroupPrologues {
public:
  using Producers = llvm::SmallVector<mlir::linalg::LinalgOp>;

  bool empty() const { return producers.empty(); }
  bool contains(mlir::Operation *op) const { return producers.contains(op); }
  /// The producers of `operand` in program order; empty if `loops` do not
  /// compute it.
  llvm::ArrayRef<mlir::linalg::LinalgOp> get(mlir::Value operand,
                                             const GroupLoops &loops) const;
  void add(mlir::OpResult origin, Producers ops) {
    producers.insert(ops.begin(), ops.end());
    ofOrigin[origin] = std::move(ops);
  }

private:
  llvm::DenseMap<mlir::Value, Producers> ofOrigin;
  llvm::SmallPtrSet<mlir::Operation *, 4> producers;
};

/// Refuses producers that reduce, that an operation other than a contraction
/// reads, or whose results have uses outside the group.
PlanResult<GroupPrologues> findPrologues(const GroupMembers &members,
                                         const GroupLoops &loops,
                                         const OperationRoles &roles);

} // namespace stof

#endif // STOF_FUSION_GROUPPROLOGUES_H

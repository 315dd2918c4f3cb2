//===----------------------------------------------------------------------===//
// Steps of group formation: ordering operations, partitioning them and building
// the groups.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H
#define STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H

#include "stof/Fusion/GroupBranches.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {

/// A sequence of operations that share a kernel.
using Run = llvm::SmallVector<mlir::Operation *>;

/// The groupable operations of `block` in topological order, those that can
/// share a launch next to each other.
Run listOperations(mlir::Block &block, const TargetInfo *target);

/// The names of the operations, for remarks.
std::string describeRun(llvm::ArrayRef<mlir::Operation *> run);

/// The plan of a sequence on `target`, with the reshapes between its
/// operations.
GroupBranches planRun(llvm::ArrayRef<mlir::Operation *> run,
                      const TargetInfo *target);

/// Merges neighbours greedily by gain on `target`, pairs before triples, and
/// reports the decisions in remarks.
llvm::SmallVector<Run> partition(llvm::ArrayRef<mlir::Operation *> operations,
                                 const TargetInfo *target);

/// Replaces a sequence that has a kernel by a group at its last operation. The
/// block must be sorted topologically afterwards.
GroupOp buildGroup(mlir::IRRewriter &rewriter,
                   llvm::ArrayRef<mlir::Operation *> run,
                   const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H

//===----------------------------------------------------------------------===//
// The parts of forming groups: which operations there are in which order, which
// of them share a group, and the group itself.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H
#define STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H

#include "stof/Fusion/GroupSections.h"
#include "stof/IR/Stof.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {

/// Operations that share a kernel.
using Run = llvm::SmallVector<mlir::Operation *>;

/// The operations of `block` that kernels compute. Each comes after what it
/// needs, and what can share a launch lies together.
Run listOperations(mlir::Block &block);

/// The names of its operations.
std::string describeRun(llvm::ArrayRef<mlir::Operation *> run);

/// The plan of a run, with the reshapes between its operations.
GroupSections planRun(llvm::ArrayRef<mlir::Operation *> run);

/// Joins neighbours as long as it pays, those first that gain most, two before
/// three, and says in remarks which ones and why others were not. Costs are
/// those on the GPU that runs code for `chip`.
llvm::SmallVector<Run> partition(llvm::ArrayRef<mlir::Operation *> operations,
                                 llvm::StringRef chip);

/// Replaces a run that has a kernel by a group in the place of its last
/// operation. The order of the block has to be restored afterwards.
GroupOp buildGroup(mlir::IRRewriter &rewriter,
                   llvm::ArrayRef<mlir::Operation *> run);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H

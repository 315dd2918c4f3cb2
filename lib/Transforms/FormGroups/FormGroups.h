//===----------------------------------------------------------------------===//
// Steps of group formation: ordering operations, partitioning them and building
// the groups.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H
#define STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H

#include "PlanCache.h"
#include "stof/IR/Stof.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {

/// The groupable operations of `block` in topological order, those that can
/// share a launch next to each other.
OpSequence listOperations(mlir::Block &block, PlanCache &plans);

/// The names of the operations, for remarks.
std::string describeSequence(llvm::ArrayRef<mlir::Operation *> sequence);

/// Merges neighbours greedily by gain, pairs before triples, and reports the
/// decisions in remarks.
llvm::SmallVector<OpSequence>
partition(llvm::ArrayRef<mlir::Operation *> operations, PlanCache &plans);

/// Replaces a sequence, given its plan, by a group at its last operation. The
/// block must be sorted topologically afterwards.
GroupOp buildGroup(mlir::IRRewriter &rewriter,
                   llvm::ArrayRef<mlir::Operation *> sequence,
                   const SequencePlan &plan);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_FORMGROUPS_FORMGROUPS_H

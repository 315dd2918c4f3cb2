//===----------------------------------------------------------------------===//
// Steps of group formation: ordering operations, partitioning them and building
// the groups.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_FORMGROUPS_STEPS_H
#define STOF_TRANSFORMS_FORMGROUPS_STEPS_H

#include "stof/CostModel/GroupCost.h"
#include "stof/IR/Stof.h"
#include "stof/Transforms/FormGroups/PlanCache.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {

/// Of a function: its groups as a #stof.scheme, asked for or formed.
inline constexpr llvm::StringLiteral schemeAttrName = "stof.scheme";

/// Erases unused operations and generalises named ones without kernels.
void prepareOperations(mlir::RewriterBase &rewriter, mlir::Block &block);

/// The groupable operations of `block` in topological order, those that can
/// share a launch next to each other.
OpSequence listOperations(mlir::Block &block, PlanCache &plans);

/// The names of the operations, for remarks.
std::string describeSequence(llvm::ArrayRef<mlir::Operation *> sequence);

/// Merges neighbours greedily by gain, pairs before triples, and reports the
/// decisions in remarks.
llvm::SmallVector<OpSequence>
partition(llvm::ArrayRef<mlir::Operation *> operations, PlanCache &plans);

/// The cost of computing `sequence` by one kernel; zero for an attention and
/// without a kernel.
GroupCost estimateCost(llvm::ArrayRef<mlir::Operation *> sequence,
                       PlanCache &plans);

/// Replaces a sequence, given its plan, by a group at its last operation. The
/// block must be sorted topologically afterwards.
GroupOp buildGroup(mlir::IRRewriter &rewriter,
                   llvm::ArrayRef<mlir::Operation *> sequence,
                   const SequencePlan &plan);

} // namespace stof

#endif // STOF_TRANSFORMS_FORMGROUPS_STEPS_H

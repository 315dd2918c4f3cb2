//===----------------------------------------------------------------------===//
// Attributes that describe a kernel, for reports (IR/KernelAttributes.h).
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H

#include "../Group/GroupKernels.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// Describes the kernel of `op`, which is on the host's buffers.
void describeAttention(KernelBuilder &kernel, AttentionOp op,
                       const TargetInfo *target);

/// Describes the kernel that resets the counter of row tiles.
void describeReset(KernelBuilder &kernel, AttentionOp op);

/// Describes the combine kernel of split-KV.
void describeCombine(KernelBuilder &kernel, AttentionOp op,
                     const TargetInfo *target);

/// The work of the kernel of a group, with dynamic sizes estimated.
KernelWork countWork(const GroupBranches &branches,
                     llvm::ArrayRef<GroupShape> shapes);

/// Describes the kernel of a group.
void describeGroup(KernelBuilder &kernel, const GroupBranches &branches,
                   llvm::ArrayRef<GroupShape> shapes);

/// Describes the kernels that list tiles: the one that evaluates the mask, and
/// the one that compacts the flags.
void describeFlags(KernelBuilder &kernel, ListTilesOp op);
void describeLists(KernelBuilder &kernel, ListTilesOp op);

/// Describes the kernel that applies the updates of `op`.
void describeScatter(KernelBuilder &kernel, ScatterOp op);

/// Describes a kernel that copies `from`.
void describeCopy(KernelBuilder &kernel, mlir::Value from);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H

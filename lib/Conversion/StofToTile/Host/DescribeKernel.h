//===----------------------------------------------------------------------===//
// Attributes that describe a kernel, for reports:
//
// - `stof.layout`, of attention: the tiles, and the number of each kind. An
//   unknown count is absent, and `unknown` gives the reason; `query` and `key`
//   are the numbers of the kernel's arguments that have the lengths.
// - `stof.work`: the input of the cost model (CostModel/CostModel.h), if all
//   sizes are static.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H

#include "../Attention/AttentionKernel.h"
#include "../Group/GroupKernels.h"
#include "KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// Describes the kernel of `op`; `values` maps its operands to buffers.
void describeAttention(KernelBuilder &kernel, AttentionOp op,
                       const mlir::IRMapping &values, const TargetInfo *target);

/// Describes the combine kernel of split-KV.
void describeMerge(KernelBuilder &kernel, const AttentionPartials &partials);

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

//===----------------------------------------------------------------------===//
// What is written down beside a kernel for whoever reads a report:
//
// - `stof.layout`, of attention: the tiles, and how many are of which kind.
// What
//   is not counted is absent, and `unknown` says why; `query` and `key` are the
//   numbers of the kernel's arguments that have the lengths.
// - `stof.work`: the input of the cost model (CostModel/CostModel.h), where all
//   sizes are known.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H

#include "../Attention/AttentionKernel.h"
#include "../Group/GroupKernels.h"
#include "KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// Describes the kernel of `op`, whose operands `values` maps to buffers.
void describeAttention(KernelBuilder &kernel, AttentionOp op,
                       const mlir::IRMapping &values, llvm::StringRef chip);

/// Describes the kernel that merges the parts of rows.
void describeMerge(KernelBuilder &kernel, const AttentionPartials &partials);

/// Describes the kernel of a group.
void describeGroup(KernelBuilder &kernel, const GroupSections &sections,
                   llvm::ArrayRef<GroupShape> shapes);

/// Describes the kernels that list tiles: the one that asks the mask, and the
/// one that makes lists of the answers.
void describeFlags(KernelBuilder &kernel, ListTilesOp op);
void describeLists(KernelBuilder &kernel, ListTilesOp op);

/// Describes the kernel that writes the updates of `op`.
void describeScatter(KernelBuilder &kernel, ScatterOp op);

/// Describes a kernel that copies `from`.
void describeCopy(KernelBuilder &kernel, mlir::Value from);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_HOST_DESCRIBEKERNEL_H

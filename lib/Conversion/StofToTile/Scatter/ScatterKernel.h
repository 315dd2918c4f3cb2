//===----------------------------------------------------------------------===//
// The kernel that applies the updates of a scatter.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERKERNEL_H

#include "stof/Conversion/EmitScatter.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/Support/TargetInfo.h"

namespace stof {

/// The number of warps of the kernel.
int64_t scatterWarps();

/// Builds the kernel that applies the updates of `op` to the host buffers
/// `buffers`, and its launch. `target` is null for CPUs.
mlir::LogicalResult emitScatterKernel(KernelBuilder &kernel, ScatterOp op,
                                      const ScatterBuffers &buffers,
                                      const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERKERNEL_H

//===----------------------------------------------------------------------===//
// The kernel that lists the tiles of a mask on the device.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_TABLEKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_TABLEKERNEL_H

#include "KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The number of warps that the kernel of `op` uses.
int64_t tableWarps(ListTilesOp op);

/// Builds the kernel of `op` and its launch. `values` maps operands to buffers
/// and scalars of the host; `ranges` and `entries` are the buffers of the
/// results.
mlir::LogicalResult emitTableKernel(KernelBuilder &kernel, ListTilesOp op,
                                    const mlir::IRMapping &values,
                                    mlir::Value ranges, mlir::Value entries);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_TABLEKERNEL_H

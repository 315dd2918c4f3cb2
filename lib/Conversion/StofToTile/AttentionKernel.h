//===----------------------------------------------------------------------===//
// The block-wise attention kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTIONKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTIONKERNEL_H

#include "KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The number of warps that the kernel of `op` uses.
int64_t attentionWarps(AttentionOp op);

/// Builds the kernel of `op` and its launch. `values` maps operands to buffers
/// and scalars of the host; `results` are the buffers of out and, if there is
/// one, lse.
mlir::LogicalResult emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const mlir::IRMapping &values,
                                        mlir::ValueRange results);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTIONKERNEL_H

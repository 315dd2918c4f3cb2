//===----------------------------------------------------------------------===//
// The tiled attention kernel, and the combine kernel of split-KV.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

#include "SplitKV.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

namespace stof {

/// Emits an error if `op` asks for a tile that its kernel cannot have.
mlir::LogicalResult verifyTile(AttentionOp op, const TargetInfo *target);

/// The number of warps of either kernel of `op`.
int64_t attentionWarps(AttentionOp op);

/// Builds the kernel of `op`, which is on the host's buffers, and its launch.
/// Split rows are stored to `partials`, for emitCombineKernel. `target` is null
/// for CPUs.
mlir::LogicalResult emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const AttentionPartials &partials,
                                        const TargetInfo *target);

/// Builds the kernel that combines split rows, and its launch.
mlir::LogicalResult emitCombineKernel(KernelBuilder &kernel, AttentionOp op,
                                      const AttentionPartials &partials,
                                      const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

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
/// Split rows are stored to `partials`, for emitCombineKernel. Row tiles are
/// claimed by `counter`, which is null unless allocateCounter returned one.
/// `target` is null for CPUs.
mlir::LogicalResult emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const AttentionPartials &partials,
                                        mlir::Value counter,
                                        const TargetInfo *target);

/// The buffer of the number of row tiles that the CTAs of `op` have claimed;
/// null if they claim none.
mlir::Value allocateCounter(mlir::OpBuilder &host, AttentionOp op);

/// Builds the kernel that sets `counter` to zero, and its launch. It precedes
/// that of the attention in each call: the counter is in the workspace of a
/// call, which no other run uses at the same time, and nothing is known of its
/// contents before.
mlir::LogicalResult emitResetKernel(KernelBuilder &kernel, mlir::Value counter);

/// Builds the kernel that combines split rows, and its launch.
mlir::LogicalResult emitCombineKernel(KernelBuilder &kernel, AttentionOp op,
                                      const AttentionPartials &partials,
                                      const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

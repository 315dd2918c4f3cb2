//===----------------------------------------------------------------------===//
// The tiled attention kernel, and the combine kernel of split-KV.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

#include "../Host/KernelBuilder.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

namespace stof {

/// The host's buffers for split-KV, null without it. R is the number of queries
/// of a row tile, or all if they are fewer, P the number of splits.
struct AttentionPartials {
  /// f32 of batch x head x row tiles ahead x P x R x value features: weighted
  /// sums of values.
  mlir::Value accumulators;
  /// f32 of batch x head x row tiles ahead x P x 2 x R: row max, as a natural
  /// logit or in base 2, and row sum.
  mlir::Value rows;

  explicit operator bool() const { return static_cast<bool>(accumulators); }
};

/// Allocates the buffers of `op` if its schedule splits keys.
AttentionPartials allocatePartials(mlir::OpBuilder &host, AttentionOp op,
                                   const mlir::IRMapping &values);

/// The number of warps of the kernel of `op`.
int64_t attentionWarps(AttentionOp op);

/// Builds the kernel of `op` and its launch. `values` maps operands to host
/// buffers and scalars; `results` are the buffers of out and, if there is one,
/// lse. Split rows are stored to `partials`, for emitMergeKernel. `target` is
/// null for CPUs.
mlir::LogicalResult emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const mlir::IRMapping &values,
                                        mlir::ValueRange results,
                                        const AttentionPartials &partials,
                                        const TargetInfo *target);

/// Builds the kernel that combines split rows, and its launch.
mlir::LogicalResult emitMergeKernel(KernelBuilder &kernel, AttentionOp op,
                                    const mlir::IRMapping &values,
                                    mlir::ValueRange results,
                                    const AttentionPartials &partials,
                                    const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

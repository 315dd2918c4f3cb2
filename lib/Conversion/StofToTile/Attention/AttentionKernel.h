//===----------------------------------------------------------------------===//
// The block-wise attention kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

#include "../Host/KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The host's buffers for rows in parts, null if there are none. R is the
/// number of queries of a row tile, or all if they are fewer, P the number of
/// parts.
struct AttentionPartials {
  /// f32 of batch x head x row tiles ahead x P x R x value features: sums of
  /// weighted values.
  mlir::Value accumulators;
  /// f32 of batch x head x row tiles ahead x P x 2 x R: the largest logit, in
  /// base 2, and the sum of the weights.
  mlir::Value rows;

  explicit operator bool() const { return static_cast<bool>(accumulators); }
};

/// Buffers for the parts of `op`, if its schedule has more than one.
AttentionPartials allocatePartials(mlir::OpBuilder &host, AttentionOp op,
                                   const mlir::IRMapping &values);

/// The number of warps that the kernel of `op` uses.
int64_t attentionWarps(AttentionOp op);

/// Builds the kernel of `op` and its launch. `values` maps operands to buffers
/// and scalars of the host; `results` are the buffers of out and, if there is
/// one, lse. Rows in parts go to `partials`, from where emitMergeKernel takes
/// them. `chip` is what the kernel is for; nothing for processors.
mlir::LogicalResult emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const mlir::IRMapping &values,
                                        mlir::ValueRange results,
                                        const AttentionPartials &partials,
                                        llvm::StringRef chip);

/// Builds the kernel that merges rows in parts, and its launch.
mlir::LogicalResult emitMergeKernel(KernelBuilder &kernel, AttentionOp op,
                                    const mlir::IRMapping &values,
                                    mlir::ValueRange results,
                                    const AttentionPartials &partials,
                                    llvm::StringRef chip);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONKERNEL_H

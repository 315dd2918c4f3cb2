//===----------------------------------------------------------------------===//
// The kernels that list the tiles of a mask on the device.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TABLEKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TABLEKERNEL_H

#include "stof/Conversion/KernelBuilder.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The host's buffers for the tile list of one mask. B and H are 1 where
/// batches or heads share it.
struct TableBuffers {
  /// i8 of B x H x row tiles x key tiles: the flags of each tile.
  mlir::Value flags;
  /// The results of the operation.
  mlir::Value ranges, entries;
};

/// The number of warps of the kernel that fills the flags.
int64_t flagWarps();

/// Builds the kernel that fills the flags, and its launch. The operands of `op`
/// are the host's buffers and scalars.
mlir::LogicalResult emitFlagKernel(KernelBuilder &kernel, ListTilesOp op,
                                   const TableBuffers &buffers);

/// Builds the kernel that compacts the flags into lists, with one warp per CTA,
/// and its launch.
mlir::LogicalResult emitListKernel(KernelBuilder &kernel, ListTilesOp op,
                                   const TableBuffers &buffers);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TABLEKERNEL_H

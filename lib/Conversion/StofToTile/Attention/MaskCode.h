//===----------------------------------------------------------------------===//
// The code of a mask inside a kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKCODE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKCODE_H

#include "../Host/KernelBuilder.h"
#include "../Scalar/NarrowBody.h"
#include "stof/IR/Stof.h"

namespace stof {

class MaskCode {
public:
  /// Makes what `mask`, of stof.mask or stof.block_mask, captures known to the
  /// kernel; `hostValues` maps captures to what the host has of them.
  MaskCode(KernelBuilder &kernel, mlir::Value mask,
           const mlir::IRMapping &hostValues);

  /// Whether code can be made for the mask of `op`, and is short enough for
  /// kernels that ask it for each element; else an error at `op` says why not.
  static mlir::LogicalResult verify(mlir::Operation *op, mlir::Value mask,
                                    bool isAsked);

  /// Whether the mask keeps the pair at (batch, head, query, key).
  mlir::Value keeps(mlir::OpBuilder &builder,
                    llvm::ArrayRef<PairCoordinate> coordinates) const;

  /// Whether it looks up what it knows of a pair, which has to exist then.
  bool readsTensors() const;

private:
  mlir::Value keepsBlock(mlir::OpBuilder &builder, BlockMaskOp mask,
                         llvm::ArrayRef<PairCoordinate> coordinates) const;

  mlir::Location loc;
  mlir::Operation *mask;
  mlir::IRMapping captured;
  mlir::Value rowPointers, columnIndices;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKCODE_H

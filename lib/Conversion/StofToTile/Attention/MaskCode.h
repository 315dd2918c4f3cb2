//===----------------------------------------------------------------------===//
// The evaluation of a mask inside a kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKCODE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKCODE_H

#include "../Scalar/NarrowBody.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/IR/MaskPredicate.h"

namespace stof {

class MaskCode {
public:
  /// Binds the captures of `mask`, which a mask operation defines, in the
  /// kernel; they are the host's buffers and scalars.
  MaskCode(KernelBuilder &kernel, mlir::Value mask);

  /// Emits an error at `op` unless the mask has code, and, if kernels evaluate
  /// it per element (`isEvaluated`), is short enough.
  static mlir::LogicalResult verify(mlir::Operation *op, mlir::Value mask,
                                    bool isEvaluated);

  /// Whether the position at (batch, head, query, key) is unmasked.
  mlir::Value keeps(mlir::OpBuilder &builder,
                    llvm::ArrayRef<PairCoordinate> coordinates) const;

  /// Whether the mask reads tensors, for which coordinates must be in bounds.
  bool readsTensors() const;

private:
  MaskPredicate predicate;
  mlir::IRMapping captured;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKCODE_H

//===----------------------------------------------------------------------===//
// Softmaxes by their shape: exponentials divided by their sum. Nothing is
// proven of them; they are what a user expects to read about where no attention
// was found.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H
#define STOF_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace stof {

/// A softmax in structured operations on tensors.
struct PlainSoftmax {
  /// The operation that computes the exponentials.
  mlir::Operation *exponential;
  /// That operation, the sum and the divisions by it.
  llvm::SetVector<mlir::Operation *> operations;
};

/// The softmaxes within `function`, in order.
llvm::SmallVector<PlainSoftmax> findSoftmaxes(mlir::Operation *function);

/// Whether an operation on scalars is an exponential, as softmaxes have it.
bool isExponential(mlir::Operation *op);

} // namespace stof

#endif // STOF_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H

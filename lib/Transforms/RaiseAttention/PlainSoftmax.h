//===----------------------------------------------------------------------===//
// Softmaxes by their shape: exponentials divided by their sum. Nothing is
// proven of them; they are what a user expects to read about where no attention
// was found.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace stof {

/// A softmax in structured operations on tensors.
struct PlainSoftmax {
  /// The operation that computes the exponentials.
  mlir::Operation *exponential;
  /// That operation, the sum and the divisions by it.
  llvm::SetVector<mlir::Operation *> operations;
};

/// What exponentials become in a function. An exponential that is added to, or
/// divided by, is none any more: a sigmoid and a softplus have none.
class Exponentials {
public:
  explicit Exponentials(mlir::Operation *function);

  /// Whether elements of `tensor` are those of a softmax, or exponentials that
  /// are added up elsewhere, or products of them.
  bool areWeights(mlir::Value tensor) const;

  /// The softmaxes, in order.
  llvm::SmallVector<PlainSoftmax> findSoftmaxes() const;

private:
  void follow(mlir::Operation *op);
  void follow(mlir::linalg::LinalgOp op);
  mlir::Operation *findOrigin(mlir::linalg::LinalgOp op, mlir::Value element,
                              bool isPlain) const;

  struct Sum {
    mlir::linalg::LinalgOp op;
    mlir::Operation *exponential;
  };
  /// Tensors of exponentials, by the operation that computes these, and of
  /// exponentials with nothing but casts behind them.
  llvm::DenseMap<mlir::Value, mlir::Operation *> origins, plain;
  llvm::SmallVector<Sum> sums;
};

/// Whether an operation on scalars is an exponential, as softmaxes have it.
bool isExponential(mlir::Operation *op);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H

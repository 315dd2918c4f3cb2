//===----------------------------------------------------------------------===//
// Softmaxes by their shape: exponentials divided by their sum. Nothing is
// proven about them; they only select the softmaxes that missed remarks are
// about.
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

/// The uses of exponentials in a function. Additions to an exponential and
/// divisions by it are not followed, which excludes sigmoid and softplus.
class Exponentials {
public:
  explicit Exponentials(mlir::Operation *function);

  /// Whether `tensor` has the elements of a softmax, exponentials that are
  /// summed elsewhere, or products with one of these.
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
  /// Maps tensors derived from an exponential to the operation that computes
  /// it; `plain` has those with only casts and movements after it.
  llvm::DenseMap<mlir::Value, mlir::Operation *> origins, plain;
  llvm::SmallVector<Sum> sums;
};

/// Whether a scalar operation is an exponential as used by softmaxes.
bool isExponential(mlir::Operation *op);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_PLAINSOFTMAX_H

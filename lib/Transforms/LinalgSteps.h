//===----------------------------------------------------------------------===//
// Computations written as steps over whole tensors, each one linalg.generic
// over a few of a fixed set of loops.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_LINALGSTEPS_H
#define STOF_LIB_TRANSFORMS_LINALGSTEPS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {

/// Builds steps. A step's operands and result are indexed by loops, which are
/// numbers into `sizes`; what it computes for one element is written by a body
/// that is called with the elements of the inputs, then that of the result
/// before the step, while the builder stands inside the step.
class LinalgSteps : public mlir::ImplicitLocOpBuilder {
public:
  using Body = llvm::function_ref<mlir::Value(mlir::ValueRange)>;
  using Loops = mlir::ArrayRef<unsigned>;
  /// A tensor and where each element of it is in the loops.
  struct Operand {
    mlir::Value tensor;
    mlir::AffineMap map;
  };

  LinalgSteps(mlir::Location loc, mlir::OpBuilder &builder)
      : ImplicitLocOpBuilder(loc, builder) {}

  mlir::Value constant(mlir::Type type, double value);
  mlir::Value constant(double value) { return constant(getF32Type(), value); }
  mlir::Value boolean(bool value);
  mlir::Value empty(Loops loops, mlir::Type element);
  mlir::Value fill(Loops loops, mlir::Value element);

  /// `element`, a float of at most 32 bits, as f32.
  mlir::Value widen(mlir::Value element);
  /// `element`, an f32, rounded to `type`.
  mlir::Value narrow(mlir::Value element, mlir::Type type);

  mlir::AffineMap map(Loops loops);
  Operand at(mlir::Value tensor, Loops loops) { return {tensor, map(loops)}; }

  /// One step: the result has the type of `init` and the dimensions `loops`;
  /// loops that only inputs have are reduced into it.
  mlir::Value compute(mlir::ArrayRef<Operand> inputs, mlir::Value init,
                      Loops loops, Body body);

  mlir::SmallVector<mlir::OpFoldResult> sizes;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_LINALGSTEPS_H

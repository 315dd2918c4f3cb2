//===----------------------------------------------------------------------===//
// A builder of computations on whole tensors: each step is one linalg.generic
// over a subset of fixed loops.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_LINALGSTEPS_H
#define STOF_LIB_TRANSFORMS_LINALGSTEPS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {

/// Builds steps. The operands and the result of a step are indexed by loops,
/// which are numbers into `sizes`. The body is called with the elements of the
/// inputs, then that of `init`, with the insertion point inside the step.
class LinalgSteps : public mlir::ImplicitLocOpBuilder {
public:
  using Body = llvm::function_ref<mlir::Value(mlir::ValueRange)>;
  using Loops = mlir::ArrayRef<unsigned>;
  /// A tensor and its indexing map.
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

  /// Extends `element`, a float of at most 32 bits, to f32.
  mlir::Value widen(mlir::Value element);
  /// Rounds `element`, an f32, to `type`.
  mlir::Value narrow(mlir::Value element, mlir::Type type);

  mlir::AffineMap map(Loops loops);
  Operand at(mlir::Value tensor, Loops loops) { return {tensor, map(loops)}; }

  /// Creates one step. The result has the type of `init` and the dimensions
  /// `loops`; loops that only inputs have are reductions.
  mlir::Value compute(mlir::ArrayRef<Operand> inputs, mlir::Value init,
                      Loops loops, Body body);

  mlir::SmallVector<mlir::OpFoldResult> sizes;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_LINALGSTEPS_H

//===----------------------------------------------------------------------===//
// score_mod and mask_mod of FlexAttention as expressions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_IMPORTATTENTION_SCALARFUNCTION_H
#define STOF_LIB_TRANSFORMS_IMPORTATTENTION_SCALARFUNCTION_H

#include "stof/Scalar/TensorElement.h"

namespace stof {

/// A scalar function of an optional score and four coordinates, on scalars or
/// tensors of rank zero.
class ScalarFunction {
public:
  ScalarFunction(ExprContext &context, TensorElement &elements)
      : context(context), elements(elements) {}

  /// Reads the function; false if it is not an expression of its arguments.
  bool read(mlir::Block &body, bool hasScore);
  /// Emits the function for an f32 score and coordinates as index.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value score, mlir::ValueRange coordinates);

private:
  const Expr *leafOf(mlir::Value value);

  ExprContext &context;
  TensorElement &elements;
  llvm::SmallVector<const Expr *> coordinates;
  const Expr *score = nullptr;
  const Expr *result = nullptr;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_IMPORTATTENTION_SCALARFUNCTION_H

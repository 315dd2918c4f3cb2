//===----------------------------------------------------------------------===//
// score_mod and mask_mod of FlexAttention as expressions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_IMPORTATTENTION_SCALARFUNCTION_H
#define STOF_LIB_TRANSFORMS_IMPORTATTENTION_SCALARFUNCTION_H

#include "stof/Scalar/ElementAt.h"

namespace stof {

/// A scalar function of the score and four coordinates, or of the latter alone,
/// on scalars or on tensors of rank zero.
class ScalarFunction {
public:
  ScalarFunction(ExprContext &context, ElementAt &elements)
      : context(context), elements(elements) {}

  /// Reads the function; false if it is more than an expression.
  bool read(mlir::Block &body, bool hasScore);
  /// Emits it, for coordinates as index.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value score, mlir::ValueRange coordinates);

private:
  const Expr *leafOf(mlir::Value value);

  ExprContext &context;
  ElementAt &elements;
  llvm::SmallVector<const Expr *> coordinates;
  const Expr *score = nullptr;
  const Expr *result = nullptr;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_IMPORTATTENTION_SCALARFUNCTION_H

//===----------------------------------------------------------------------===//
// Dimensions as dim factors. A collapsed dimension (batch times heads) is a
// row-major sequence of dim factors, as in a reassociation; shapes of the same
// elements differ in the grouping and order of dim factors.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_FACTOREDDIMS_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_FACTOREDDIMS_H

#include "stof/Scalar/TensorElement.h"

namespace stof {

/// The dim factors of one dimension, the most significant first; empty for a
/// dimension of size one. A dim factor is a variable.
using DimFactors = llvm::SmallVector<const Expr *, 2>;

/// Emits the sizes of shapes, static ones as attributes.
class SizeEmitter {
public:
  SizeEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  mlir::OpFoldResult get(const Expr *size);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The product of the sizes of dim factors.
const Expr *sizeOf(ExprContext &context,
                   llvm::ArrayRef<const Expr *> dimFactors);

/// The row-major linear index of the dim factors.
const Expr *numberOf(ExprContext &context,
                     llvm::ArrayRef<const Expr *> dimFactors);

/// The dim factors of each dimension of the tensor of `element`, if its indices
/// are row-major linear indices and use each dim factor at most once.
std::optional<llvm::SmallVector<DimFactors>>
dimFactorsOf(ExprContext &context, TensorElement &elements,
             const Expr *element);

/// The estimated cost of `rearrange` in operations; nothing if the dim factors
/// differ.
std::optional<unsigned> costOf(llvm::ArrayRef<DimFactors> from,
                               llvm::ArrayRef<DimFactors> to);

/// Rearranges `tensor` from the dim factors `from` to `to` by reshapes and at
/// most one linalg.transpose. Expects `costOf` to be known.
mlir::Value rearrange(mlir::OpBuilder &builder, mlir::Location loc,
                      ExprContext &context, mlir::Value tensor,
                      llvm::ArrayRef<DimFactors> from,
                      llvm::ArrayRef<DimFactors> to);

/// Splits each variable by the constant divisors of its divisions and
/// remainders in the expressions. Returns the dim factors of each variable, or
/// the variable itself if it is not split.
llvm::SmallVector<DimFactors>
splitVariables(ExprContext &context, llvm::ArrayRef<const Expr *> variables,
               llvm::ArrayRef<const Expr *> expressions);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_FACTOREDDIMS_H

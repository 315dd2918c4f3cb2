//===----------------------------------------------------------------------===//
// Dimensions as digits. A collapsed dimension (batch times heads) is a number
// of several digits in row-major order; a tensor's dimensions are groups of
// digits, and two shapes of the same elements differ in how digits are grouped
// and ordered.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_DIGITS_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_DIGITS_H

#include "stof/Scalar/ElementAt.h"

namespace stof {

/// The digits of one dimension, the most significant first; none for a
/// dimension of size one. A digit is a variable.
using Digits = llvm::SmallVector<const Expr *, 2>;

/// Emits sizes where a shape needs them.
class SizeEmitter {
public:
  SizeEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}
  mlir::OpFoldResult get(const Expr *size);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The product of the sizes of digits.
const Expr *sizeOf(ExprContext &context, llvm::ArrayRef<const Expr *> digits);

/// The number that the digits spell.
const Expr *numberOf(ExprContext &context, llvm::ArrayRef<const Expr *> digits);

/// The digits of each dimension of the tensor that `element` is of, if its
/// indices are numbers that use each digit once.
std::optional<llvm::SmallVector<Digits>>
digitsOf(ExprContext &context, ElementAt &elements, const Expr *element);

/// How many operations `rearrange` makes; nothing if the digits differ.
std::optional<unsigned> costOf(llvm::ArrayRef<Digits> from,
                               llvm::ArrayRef<Digits> to);

/// `tensor`, whose dimensions have the digits `from`, with the dimensions `to`:
/// reshapes and at most one linalg.transpose. Expects `costOf` to be known.
mlir::Value rearrange(mlir::OpBuilder &builder, mlir::Location loc,
                      ExprContext &context, mlir::Value tensor,
                      llvm::ArrayRef<Digits> from, llvm::ArrayRef<Digits> to);

/// Splits each variable along the divisions and remainders by constants in
/// which the expressions use it. Returns the digits of each variable, itself
/// where it is used whole.
llvm::SmallVector<Digits>
splitVariables(ExprContext &context, llvm::ArrayRef<const Expr *> variables,
               llvm::ArrayRef<const Expr *> expressions);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_DIGITS_H

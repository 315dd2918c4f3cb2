//===----------------------------------------------------------------------===//
// Expansions of functions of floats.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H
#define STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

#include "Arithmetic.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace stof {

/// Whether an operation is a function that must be computed in f32 if its type
/// is narrower: all but those that are exact in any type.
bool isRounding(mlir::Operation *op);

/// Adds expm1, log10, powf, cbrt, asinh, sin, cos, atan and atan2. They come
/// before upstream's patterns but for those that simplify, as do the next.
void populateFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp by way of exp2, for targets with an instruction for that.
void populateExpPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp2, for targets without one.
void populateExp2Patterns(mlir::RewritePatternSet &patterns);

/// Adds erf, tanh and exp of 16-bit floats, roots of their constants, and
/// quotients of f16.
void populateNarrowFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp, exp2, expm1, logarithms, powf, tanh, rsqrt, sin and cos of f64,
/// for targets that have none. Errors are below 1e-12 of the largest result.
void populateWideFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Adds arith.remf of f32 and of 16-bit floats, exactly.
void populateRemainderPatterns(mlir::RewritePatternSet &patterns);

/// Replaces a function of `Element` by what `expand` makes of its operands.
template <typename Op, typename Element>
struct ExpandFunction : mlir::OpRewritePattern<Op> {
  using Expansion = mlir::Value (*)(const Arithmetic &, mlir::ValueRange);
  ExpandFunction(mlir::MLIRContext *context, Expansion expand)
      : mlir::OpRewritePattern<Op>(context, /*benefit=*/2), expand(expand) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    mlir::Type type = op.getType();
    if (!mlir::isa<Element>(mlir::getElementTypeOrSelf(type)))
      return rewriter.notifyMatchFailure(op, "it is of another type");
    Arithmetic arithmetic(rewriter, op.getLoc(), type);
    rewriter.replaceOp(op, expand(arithmetic, op->getOperands()));
    return mlir::success();
  }

private:
  Expansion expand;
};

/// log2 of a positive finite f64 that is not subnormal, by so many terms of a
/// series: each adds five bits.
mlir::Value log2OfF64(const Arithmetic &a, mlir::Value x, int terms);

/// `x` to the power of `y`, where `power` is |x|^y: its sign and its ends,
/// which are those of C. 1^y and x^0 are 1 whatever the other is, and
/// infinities are even.
mlir::Value finishPow(const Arithmetic &a, mlir::Value x, mlir::Value y,
                      mlir::Value power);

/// sin(x + quarter * pi / 2), up to pi / 4 by polynomials in the square of x:
/// sin(x) = x + x^3 * `sines` and cos(x) = `cosines`.
mlir::Value sineByPolynomials(const Arithmetic &a, mlir::Value x,
                              int64_t quarter, llvm::ArrayRef<double> sines,
                              llvm::ArrayRef<double> cosines);

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

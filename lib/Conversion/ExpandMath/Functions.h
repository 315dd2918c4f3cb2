//===----------------------------------------------------------------------===//
// Patterns that expand floating-point functions to arithmetic.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H
#define STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

#include "Arithmetic.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

namespace stof {

/// Whether an operation rounds its result. If its type is narrower than f32, it
/// is computed in f32; exact functions need not be.
bool isRounding(mlir::Operation *op);

/// Adds expm1, log10, powf, cbrt, asinh, sin, cos, atan and atan2. These and
/// the patterns below take precedence over upstream's, other than
/// simplifications.
void populateFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp in terms of exp2, for targets with an instruction for exp2.
void populateExpPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp2, for targets without an instruction for it.
void populateExp2Patterns(mlir::RewritePatternSet &patterns);

/// Adds erf, tanh and exp of 16-bit floats, square roots of their constants,
/// and division of f16.
void populateNarrowFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Replaces f32 operations whose results are rounded to 16 bits or fewer: erf,
/// tanh, exp, erf(x) + 1, tanh(x) + 1 and division. Before patterns, which
/// would replace them by accurate ones.
void expandRoundedFunctions(mlir::Operation *root);

/// Adds exp, exp2, expm1, logarithms, powf, tanh, rsqrt, sin and cos of f64,
/// for targets without instructions for them. Errors are below 1e-12 of the
/// largest result.
void populateWideFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Adds arith.remf of f32 and of 16-bit floats, which is exact.
void populateRemainderPatterns(mlir::RewritePatternSet &patterns);

/// Replaces a function of `Element` by `expand` of its operands.
template <typename Op, typename Element>
struct ExpandFunction : mlir::OpRewritePattern<Op> {
  using Expansion = mlir::Value (*)(const Arithmetic &, mlir::ValueRange);
  ExpandFunction(mlir::MLIRContext *context, Expansion expand)
      : mlir::OpRewritePattern<Op>(context, /*benefit=*/2), expand(expand) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    mlir::Type type = op.getType();
    if (!mlir::isa<Element>(mlir::getElementTypeOrSelf(type)))
      return rewriter.notifyMatchFailure(op, "not of the expanded type");
    Arithmetic arithmetic(rewriter, op.getLoc(), type);
    rewriter.replaceOp(op, expand(arithmetic, op->getOperands()));
    return mlir::success();
  }

private:
  Expansion expand;
};

/// log2 of a positive, finite, normal f64 by a series; each of its `terms` adds
/// five bits.
mlir::Value log2OfF64(const Arithmetic &a, mlir::Value x, int terms);

/// Completes x^y from `power` = |x|^y: sign and special cases, as in C. 1^y and
/// x^0 are 1 even for NaN, and an infinite y counts as even.
mlir::Value finishPow(const Arithmetic &a, mlir::Value x, mlir::Value y,
                      mlir::Value power);

/// sin(x + quarter * pi / 2). After reduction to |x| <= pi / 4, sin(x) is
/// x + x^3 * `sines` and cos(x) is `cosines`, polynomials in x^2.
mlir::Value sineByPolynomials(const Arithmetic &a, mlir::Value x,
                              int64_t quarter, llvm::ArrayRef<double> sines,
                              llvm::ArrayRef<double> cosines);

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

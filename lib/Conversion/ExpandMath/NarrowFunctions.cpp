//===----------------------------------------------------------------------===//
// Expansions of functions of 16-bit floats, in f32 of reduced accuracy, since
// results are rounded to 11 bits or fewer. Functions of f32 whose results are
// rounded so take them, too (RoundedFunctions.cpp).
//
// With exp2 and quotients exact to two units in the last place, the relative
// error before rounding is at most 8e-7 of erf, 1.2e-6 of tanh, and of exp(x)
// 3e-7 + 6e-8 * |x|: a result differs from the correctly rounded one only where
// the exact one is within 2^-8 of the middle between two numbers.
//===----------------------------------------------------------------------===//

#include "NarrowFunctions.h"

#include "Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

using llvm::numbers::log2e;

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
}

/// Completes an odd function: `near`, a polynomial in x^2 times |x|, for small
/// |x|, else `far`; with the sign of x.
static Value joinOdd(const Arithmetic &a, Value x, Value magnitude, Value far,
                     ArrayRef<double> near) {
  constexpr double border = 0.25;
  Value square = a.mul(magnitude, magnitude);
  Value small = a.mul(magnitude, a.polynomial(square, near));
  Value isSmall =
      a.compare(arith::CmpFPredicate::OLT, magnitude, a.real(a.f32(), border));
  // As bits: copysign would be moved after the rounding to 16 bits, where it
  // takes several instructions.
  Value sign = arith::AndIOp::create(
      a.builder, a.loc, a.bits(a.i32(), x),
      a.whole(a.i32(), std::numeric_limits<int32_t>::min()));
  Value joined = a.bits(a.i32(), a.select(isSmall, small, far));
  return a.bits(a.f32(), arith::OrIOp::create(a.builder, a.loc, joined, sign));
}

Value stof::expandNarrowExp(const Arithmetic &a, Value x) {
  return a.exp2(a.mul(x, a.real(a.f32(), log2e)));
}

/// 1 - erf(t) = 2^P(t), with P a minimax fit of erf on [0.2, 4]; beyond 4, erf
/// rounds to 1. Near 0, a series.
Value stof::expandNarrowErf(const Arithmetic &a, Value x) {
  Value t = math::AbsFOp::create(a.builder, a.loc, x);
  t = arith::MinimumFOp::create(a.builder, a.loc, t, a.real(a.f32(), 4));
  Value rest = a.exp2(
      a.polynomial(t, {1.46604141e-5, -1.62810685, -0.917371621, -0.15127998,
                       3.24381873e-2, -4.37607654e-3, 2.65396522e-4}));
  constexpr double slope = 1.12837916709551257390; // 2 / sqrt(pi)
  return joinOdd(a, x, t, a.sub(a.real(a.f32(), 1), rest),
                 {slope, -slope / 3, slope / 10, -slope / 42});
}

Value stof::divideApproximately(const Arithmetic &a, Value lhs, Value rhs) {
  return arith::DivFOp::create(a.builder, a.loc, lhs, rhs,
                               arith::FastMathFlags::afn);
}

/// tanh(t) = 1 - 2 / (e^2t + 1); near 0, a series.
Value stof::expandNarrowTanh(const Arithmetic &a, Value x) {
  Value t = math::AbsFOp::create(a.builder, a.loc, x);
  Value one = a.real(a.f32(), 1), two = a.real(a.f32(), 2);
  Value power = a.exp2(a.mul(t, a.real(a.f32(), 2 * log2e)));
  Value rest = divideApproximately(a, two, a.add(power, one));
  return joinOdd(a, x, t, a.sub(one, rest),
                 {1, -1.0 / 3, 2.0 / 15, -17.0 / 315});
}

namespace {
/// Replaces a function of a 16-bit float by `expand` of the operand in f32.
template <typename Op>
struct ExpandNarrow : OpRewritePattern<Op> {
  using Expansion = Value (*)(const Arithmetic &, Value);
  ExpandNarrow(MLIRContext *context, Expansion expand)
      : OpRewritePattern<Op>(context, /*benefit=*/2), expand(expand) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isNarrow(type))
      return rewriter.notifyMatchFailure(op, "already f32 or wider");
    Arithmetic a(rewriter, op.getLoc(), type);
    Value wide = expand(a, a.cast(a.f32(), op.getOperand()));
    rewriter.replaceOp(op, a.cast(type, wide));
    return success();
  }

private:
  Expansion expand;
};

/// Divides f16 by the approximate division of f32. bf16 is excluded: the
/// hardware treats its largest divisors as infinities.
struct ExpandNarrowDivision : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF16())
      return rewriter.notifyMatchFailure(op, "not an f16 division");
    Arithmetic a(rewriter, op.getLoc(), type);
    Value quotient = divideApproximately(a, a.cast(a.f32(), op.getLhs()),
                                         a.cast(a.f32(), op.getRhs()));
    rewriter.replaceOp(op, a.cast(type, quotient));
    return success();
  }
};

/// Folds the square root of a constant; upstream folds only f32 and f64.
struct FoldNarrowSqrt : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    APFloat value(0.0);
    if (!isNarrow(op.getType()) || isa<ShapedType>(op.getType()) ||
        !matchPattern(op.getOperand(), m_ConstantFloat(&value)))
      return rewriter.notifyMatchFailure(op, "not a narrow constant");
    bool losesInfo;
    const llvm::fltSemantics &semantics = value.getSemantics();
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    APFloat root(std::sqrt(value.convertToDouble()));
    root.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getFloatAttr(op.getType(), root));
    return success();
  }
};
} // namespace

void stof::populateNarrowFunctionPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandNarrow<math::ErfOp>>(context, expandNarrowErf);
  patterns.add<ExpandNarrow<math::TanhOp>>(context, expandNarrowTanh);
  patterns.add<ExpandNarrow<math::ExpOp>>(context, expandNarrowExp);
  patterns.add<FoldNarrowSqrt>(context, /*benefit=*/2);
  patterns.add<ExpandNarrowDivision>(context, /*benefit=*/2);
}

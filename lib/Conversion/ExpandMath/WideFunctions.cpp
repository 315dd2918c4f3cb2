//===----------------------------------------------------------------------===//
// Expansions of f64 functions to arithmetic: series on short intervals, up to
// terms below the last place.
//
// PTX has no f64 functions beyond square roots, and LLVM comes without the
// libdevice that NVVM calls for them. The approximations of upstream are for
// f32: they would lose half of the digits of a source that asks for f64.
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

using llvm::numbers::ln2;
using llvm::numbers::log2e;
static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double epsilon = std::numeric_limits<double>::epsilon();

static Value real(const Arithmetic &a, double value) {
  return a.real(a.f64(), value);
}

static Value magnitudeOf(const Arithmetic &a, Value x) {
  return math::AbsFOp::create(a.builder, a.loc, x);
}

static Value roundEven(const Arithmetic &a, Value x) {
  return math::RoundEvenOp::create(a.builder, a.loc, x);
}

/// The coefficients 1 / n! from n = `first` on. For |f| <= ln(2) / 2, the terms
/// f^n / n! reach the last place of an f64.
static SmallVector<double> getPowers(int first) {
  constexpr int last = 14;
  SmallVector<double> series = {1};
  for (int n = 2; n <= first; ++n)
    series.back() /= n;
  for (int n = first + 1; n <= last; ++n)
    series.push_back(series.back() / n);
  return series;
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// 2^2200 times any f64 overflows, 2^-2200 times any f64 underflows.
static constexpr double mostExponent = 2200;

/// x * 2^whole, in three steps, since whole may exceed the range of an
/// exponent.
static Value scale(const Arithmetic &a, Value x, Value whole) {
  constexpr int64_t bias = 1023, mantissaBits = 52;
  for (int i = 0; i < 3; ++i) {
    Value part = a.clamp(whole, -1022, 1023);
    Value biased = a.add(a.cast(a.i64(), part), a.whole(a.i64(), bias));
    Value power = arith::ShLIOp::create(a.builder, a.loc, biased,
                                        a.whole(a.i64(), mantissaBits));
    x = a.mul(x, a.bits(a.f64(), power));
    whole = a.sub(whole, part);
  }
  return x;
}

/// Clamps `rest` to [-border, border] and propagates NaN. If x is infinite, any
/// number is a valid result.
static Value limit(const Arithmetic &a, Value x, Value rest, double border) {
  return a.select(a.compare(arith::CmpFPredicate::UNO, x, x), x,
                  a.clamp(rest, -border, border));
}

static Value expandExp2(const Arithmetic &a, Value x) {
  Value whole = roundEven(a, a.clamp(x, -mostExponent, mostExponent));
  Value f = a.mul(limit(a, x, a.sub(x, whole), 0.5), real(a, ln2));
  return scale(a, a.polynomial(f, getPowers(0)), whole);
}

/// exp(x) = 2^i * exp(f) with f = x - i * ln(2), where ln(2) is in two parts.
static Value expandExp(const Arithmetic &a, Value x) {
  constexpr double high = ln2, low = 2.319046813846299558e-17;
  Value whole = a.mul(x, real(a, log2e));
  whole = roundEven(a, a.clamp(whole, -mostExponent, mostExponent));
  Value f = a.fma(whole, real(a, -high), x);
  f = limit(a, x, a.fma(whole, real(a, -low), f), 0.5);
  return scale(a, a.polynomial(f, getPowers(0)), whole);
}

/// exp(x) - 1, near 0 by a series to avoid cancellation.
static Value expandExpM1(const Arithmetic &a, Value x) {
  constexpr double border = 0.34;
  Value near = a.mul(x, a.polynomial(x, getPowers(1)));
  Value far = a.sub(expandExp(a, x), real(a, 1));
  Value isNear =
      a.compare(arith::CmpFPredicate::OLT, magnitudeOf(a, x), real(a, border));
  return a.select(isNear, near, far);
}

/// tanh(t) = (e^2t - 1) / (e^2t + 1), with the sign of x.
static Value expandTanh(const Arithmetic &a, Value x) {
  constexpr double largest = 20; // tanh rounds to 1 beyond it
  Value t = magnitudeOf(a, x);
  Value limited =
      a.select(a.compare(arith::CmpFPredicate::OGT, t, real(a, largest)),
               real(a, largest), t);
  Value power = expandExpM1(a, a.add(limited, limited));
  Value quotient = a.div(power, a.add(power, real(a, 2)));
  return math::CopySignOp::create(a.builder, a.loc, quotient, x);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// log2(x) of any f64, with the special cases of C. Subnormals are scaled to
/// normal numbers first.
static Value expandLog2(const Arithmetic &a, Value x) {
  constexpr double leastNormal = 0x1p-1022, shift = 54, larger = 0x1p54;
  Value isSmall = a.compare(arith::CmpFPredicate::OLT, x, real(a, leastNormal));
  Value normal = a.select(isSmall, a.mul(x, real(a, larger)), x);
  Value result = log2OfF64(a, normal, /*terms=*/11);
  result = a.select(isSmall, a.sub(result, real(a, shift)), result);
  // log2 of infinity or NaN is x itself.
  result = a.select(a.compare(arith::CmpFPredicate::UGE, x, real(a, infinity)),
                    x, result);
  Value isZero = a.compare(arith::CmpFPredicate::OEQ, x, real(a, 0));
  result = a.select(isZero, real(a, -infinity), result);
  Value isNegative = a.compare(arith::CmpFPredicate::OLT, x, real(a, 0));
  return a.select(isNegative, real(a, std::numeric_limits<double>::quiet_NaN()),
                  result);
}

static Value expandLog(const Arithmetic &a, Value x) {
  return a.mul(expandLog2(a, x), real(a, ln2));
}

static Value expandLog10(const Arithmetic &a, Value x) {
  return a.mul(expandLog2(a, x), real(a, 0.30102999566398119521));
}

/// log(1 + x) = log(u) * x / (u - 1), where u is the rounded 1 + x.
static Value expandLog1p(const Arithmetic &a, Value x) {
  Value u = a.add(x, real(a, 1));
  Value difference = a.sub(u, real(a, 1));
  Value result = a.mul(expandLog(a, u), a.div(x, difference));
  Value isTiny = a.compare(arith::CmpFPredicate::OLT, magnitudeOf(a, x),
                           real(a, epsilon / 2));
  result = a.select(isTiny, x, result);
  return a.select(a.compare(arith::CmpFPredicate::OEQ, x, real(a, infinity)), x,
                  result);
}

static Value expandPow(const Arithmetic &a, Value x, Value y) {
  Value exponent = a.mul(y, expandLog2(a, magnitudeOf(a, x)));
  return finishPow(a, x, y, expandExp2(a, exponent));
}

//===----------------------------------------------------------------------===//
// Roots and angles
//===----------------------------------------------------------------------===//

static Value expandRsqrt(const Arithmetic &a, Value x) {
  Value root = math::SqrtOp::create(a.builder, a.loc, x);
  return a.div(real(a, 1), root);
}

static Value expandSine(const Arithmetic &a, Value x, int64_t quarter) {
  // The series -1/3!, 1/5!, .. and 1, -1/2!, 1/4!, ..
  constexpr int terms = 9;
  SmallVector<double> sines = {-1.0 / 6}, cosines = {1};
  for (int n = 1; n < terms; ++n) {
    sines.push_back(-sines.back() / ((2 * n + 2) * (2 * n + 3)));
    cosines.push_back(-cosines.back() / ((2 * n - 1) * (2 * n)));
  }
  cosines.push_back(-cosines.back() / ((2 * terms - 1) * (2 * terms)));
  return sineByPolynomials(a, x, quarter, sines, cosines);
}

static Value expandSin(const Arithmetic &a, Value x) {
  return expandSine(a, x, 0);
}

static Value expandCos(const Arithmetic &a, Value x) {
  return expandSine(a, x, 1);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

template <typename Op>
using ExpandF64 = ExpandFunction<Op, Float64Type>;

template <typename Op, Value (*expand)(const Arithmetic &, Value)>
static void addUnary(RewritePatternSet &patterns) {
  patterns.add<ExpandF64<Op>>(
      patterns.getContext(),
      [](const Arithmetic &a, ValueRange in) { return expand(a, in[0]); });
}

void stof::populateWideFunctionPatterns(RewritePatternSet &patterns) {
  addUnary<math::Exp2Op, expandExp2>(patterns);
  addUnary<math::ExpOp, expandExp>(patterns);
  addUnary<math::ExpM1Op, expandExpM1>(patterns);
  addUnary<math::TanhOp, expandTanh>(patterns);
  addUnary<math::Log2Op, expandLog2>(patterns);
  addUnary<math::LogOp, expandLog>(patterns);
  addUnary<math::Log10Op, expandLog10>(patterns);
  addUnary<math::Log1pOp, expandLog1p>(patterns);
  addUnary<math::RsqrtOp, expandRsqrt>(patterns);
  addUnary<math::SinOp, expandSin>(patterns);
  addUnary<math::CosOp, expandCos>(patterns);
  patterns.add<ExpandF64<math::PowFOp>>(patterns.getContext(),
                                        [](const Arithmetic &a, ValueRange in) {
                                          return expandPow(a, in[0], in[1]);
                                        });
}

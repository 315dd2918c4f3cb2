//===----------------------------------------------------------------------===//
// Expansions of f32 functions to arithmetic and exp2. The polynomials for sin,
// cos and atan are those of the Cephes library (sinf.c, atanf.c, S. L.
// Moshier).
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

using llvm::numbers::ln2;
using llvm::numbers::log2e;
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

/// 2^exponent for an integral f32 in [-126, 127], by its exponent bits.
static Value powerOfTwo(const Arithmetic &a, Value exponent) {
  constexpr int64_t bias = 127, mantissaBits = 23;
  Value biased = a.add(a.cast(a.i32(), exponent), a.whole(a.i32(), bias));
  Value shifted = arith::ShLIOp::create(a.builder, a.loc, biased,
                                        a.whole(a.i32(), mantissaBits));
  return a.bits(a.f32(), shifted);
}

static Value roundEven(const Arithmetic &a, Value x) {
  return math::RoundEvenOp::create(a.builder, a.loc, x);
}

/// exp(x) = 2^i * 2^f with i = round(x * log2(e)). f is computed from x with
/// log2(e) in two parts, since the rounded x * log2(e) has lost its low bits.
static Value expandExp(const Arithmetic &a, Value x) {
  constexpr double high = 1.44269502162933349609375; // log2e as f32
  Value i = roundEven(a, a.clamp(a.mul(x, a.real(a.f32(), high)), -126, 127));
  Value f = a.fma(x, a.real(a.f32(), high), a.sub(a.real(a.f32(), 0), i));
  f = a.fma(x, a.real(a.f32(), log2e - high), f);
  Value power = math::Exp2Op::create(a.builder, a.loc, f);
  return a.mul(power, powerOfTwo(a, i));
}

/// 2^x = 2^i * 2^j * 2^k * 2^f with f in [-1/2, 1/2], where the series is
/// short. The integral part is split, since it may exceed the range of one
/// exponent.
static Value expandExp2(const Arithmetic &a, Value x) {
  // 2^300 overflows and 2^-300 underflows; f propagates NaN.
  Value whole = roundEven(a, a.clamp(x, -300, 300));
  Value f = a.sub(x, whole);
  // If x is infinite, so is f; clamped, it keeps the overflow or underflow.
  f = a.select(a.compare(arith::CmpFPredicate::UNO, x, x), x,
               a.clamp(f, -0.5, 0.5));
  Value i = a.clamp(whole, -126, 127);
  Value rest = a.sub(whole, i);
  Value j = a.clamp(rest, -126, 127);
  SmallVector<double> series = {1};
  for (int n = 1; n <= 8; ++n)
    series.push_back(series.back() * ln2 / n);
  Value power = a.mul(a.polynomial(f, series), powerOfTwo(a, i));
  return a.mul(a.mul(power, powerOfTwo(a, j)), powerOfTwo(a, a.sub(rest, j)));
}

/// Uses m = (1 + s) / (1 - s) for the mantissa m.
Value stof::log2OfF64(const Arithmetic &a, Value x, int terms) {
  constexpr int64_t mantissaBits = 52, bias = 1023;
  Value bits = a.bits(a.i64(), x);
  Value exponent = arith::ShRUIOp::create(a.builder, a.loc, bits,
                                          a.whole(a.i64(), mantissaBits));
  exponent = a.sub(exponent, a.whole(a.i64(), bias));
  Value mantissa =
      arith::AndIOp::create(a.builder, a.loc, bits,
                            a.whole(a.i64(), (int64_t{1} << mantissaBits) - 1));
  mantissa = arith::OrIOp::create(a.builder, a.loc, mantissa,
                                  a.whole(a.i64(), bias << mantissaBits));
  Value m = a.bits(a.f64(), mantissa);
  Value big = a.compare(arith::CmpFPredicate::OGT, m,
                        a.real(a.f64(), 1.41421356237309504880));
  m = a.select(big, a.mul(m, a.real(a.f64(), 0.5)), m);
  exponent =
      a.add(exponent, a.select(big, a.whole(a.i64(), 1), a.whole(a.i64(), 0)));
  Value one = a.real(a.f64(), 1);
  Value s = a.div(a.sub(m, one), a.add(m, one));
  SmallVector<double> series;
  for (int n = 0; n < terms; ++n)
    series.push_back(2 * log2e / (2 * n + 1));
  Value sum = a.polynomial(a.mul(s, s), series);
  return a.fma(s, sum, a.cast(a.f64(), exponent));
}

/// log2|x| of an f32 as an f64, including zero, infinity and NaN.
static Value log2OfMagnitude(const Arithmetic &a, Value x) {
  Value magnitude = math::AbsFOp::create(a.builder, a.loc, x);
  Value wide = a.cast(a.f64(), magnitude);
  Value logarithm = log2OfF64(a, wide, /*terms=*/7);
  logarithm = a.select(
      a.compare(arith::CmpFPredicate::OEQ, magnitude, a.real(a.f32(), 0)),
      a.real(a.f64(), -infinity), logarithm);
  return a.select(a.compare(arith::CmpFPredicate::UGE, magnitude,
                            a.real(a.f32(), infinity)),
                  wide, logarithm);
}

/// 2^exponent of an f64, as an f32.
static Value exp2OfF64(const Arithmetic &a, Value exponent) {
  constexpr int64_t mantissaBits = 52, bias = 1023;
  Value i = roundEven(a, a.clamp(exponent, -300, 300));
  Value f = a.cast(a.f32(), a.sub(exponent, i));
  Value fraction = math::Exp2Op::create(a.builder, a.loc, f);
  Value scale = arith::ShLIOp::create(
      a.builder, a.loc, a.add(a.cast(a.i64(), i), a.whole(a.i64(), bias)),
      a.whole(a.i64(), mantissaBits));
  return a.cast(a.f32(),
                a.mul(a.cast(a.f64(), fraction), a.bits(a.f64(), scale)));
}

/// Whether the sign bit is set, also for zeros.
static Value isSigned(const Arithmetic &a, Value x) {
  Type bits = getElementTypeOrSelf(x).isF64() ? a.i64() : a.i32();
  return a.compare(arith::CmpIPredicate::slt, a.bits(bits, x),
                   a.whole(bits, 0));
}

Value stof::finishPow(const Arithmetic &a, Value x, Value y, Value power) {
  Type type = x.getType();
  Value zero = a.real(type, 0), one = a.real(type, 1);
  Value nan = a.real(type, std::numeric_limits<double>::quiet_NaN());
  Value magnitude = math::AbsFOp::create(a.builder, a.loc, x);
  // An infinity times log2(1) is NaN.
  power = a.select(a.compare(arith::CmpFPredicate::OEQ, magnitude, one), one,
                   power);

  Value half = a.mul(y, a.real(type, 0.5));
  Value isWhole = a.compare(arith::CmpFPredicate::OEQ, roundEven(a, y), y);
  Value isEven = a.compare(arith::CmpFPredicate::OEQ, roundEven(a, half), half);
  Value isFinite =
      a.compare(arith::CmpFPredicate::ULT, magnitude, a.real(type, infinity));
  Value isNonzero = a.compare(arith::CmpFPredicate::UNE, x, zero);
  Value negated = arith::NegFOp::create(a.builder, a.loc, power);
  Value ofWhole = a.select(isEven, power, negated);
  Value ofPart = a.select(
      arith::AndIOp::create(a.builder, a.loc, isFinite, isNonzero), nan, power);
  power = a.select(isSigned(a, x), a.select(isWhole, ofWhole, ofPart), power);
  Value isOne = arith::OrIOp::create(
      a.builder, a.loc, a.compare(arith::CmpFPredicate::OEQ, y, zero),
      a.compare(arith::CmpFPredicate::OEQ, x, one));
  return a.select(isOne, one, power);
}

/// |x|^y = 2^(y * log2|x|). The exponent is computed in f64, since its absolute
/// error becomes the relative error of the result.
static Value expandPow(const Arithmetic &a, Value x, Value y) {
  Value power = exp2OfF64(a, a.mul(a.cast(a.f64(), y), log2OfMagnitude(a, x)));
  return finishPow(a, x, y, power);
}

static Value expandCbrt(const Arithmetic &a, Value x) {
  Value third = a.mul(log2OfMagnitude(a, x), a.real(a.f64(), 1.0 / 3));
  return math::CopySignOp::create(a.builder, a.loc, exp2OfF64(a, third), x);
}

/// exp(x) - 1, near 0 by a series to avoid cancellation.
static Value expandExpM1(const Arithmetic &a, Value x) {
  SmallVector<double> series = {1};
  for (int n = 2; n <= 9; ++n)
    series.push_back(series.back() / n);
  Value near = a.mul(x, a.polynomial(x, series));
  Value far = a.sub(expandExp(a, x), a.real(a.f32(), 1));
  Value magnitude = math::AbsFOp::create(a.builder, a.loc, x);
  Value isNear =
      a.compare(arith::CmpFPredicate::OLT, magnitude, a.real(a.f32(), 0.7));
  return a.select(isNear, near, far);
}

static Value expandLog10(const Arithmetic &a, Value x) {
  Value logarithm = math::LogOp::create(a.builder, a.loc, x);
  return a.mul(logarithm, a.real(a.f32(), 0.43429448190325182765));
}

/// asinh|x| = log(1 + |x| + x^2 / (1 + sqrt(x^2 + 1))), with the sign of x.
/// This form has no cancellation.
static Value expandAsinh(const Arithmetic &a, Value x) {
  Value one = a.real(a.f32(), 1);
  Value magnitude = math::AbsFOp::create(a.builder, a.loc, x);
  Value square = a.mul(x, x);
  Value root = math::SqrtOp::create(a.builder, a.loc, a.add(square, one));
  Value rest = a.add(magnitude, a.div(square, a.add(one, root)));
  Value result = math::Log1pOp::create(a.builder, a.loc, rest);
  // log(2 |x|) where the square would overflow.
  Value large = math::LogOp::create(a.builder, a.loc, magnitude);
  large = a.add(large, a.real(a.f32(), ln2));
  result = a.select(
      a.compare(arith::CmpFPredicate::OGT, magnitude, a.real(a.f32(), 1e9)),
      large, result);
  return math::CopySignOp::create(a.builder, a.loc, result, x);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

/// Subtracting multiples of pi / 2 cancels most bits of x: it is done in f64
/// with pi / 2 in two parts, which is accurate up to 2^40.
Value stof::sineByPolynomials(const Arithmetic &a, Value x, int64_t quarter,
                              ArrayRef<double> sines,
                              ArrayRef<double> cosines) {
  constexpr double piHalf = 1.57079632679489661923,
                   piHalfLow = 6.123233995736766036e-17;
  Value wide = a.cast(a.f64(), x);
  Value turns = roundEven(a, a.mul(wide, a.real(a.f64(), 1 / piHalf)));
  Value rest = a.fma(turns, a.real(a.f64(), -piHalf), wide);
  rest = a.fma(turns, a.real(a.f64(), -piHalfLow), rest);
  Value r = a.cast(x.getType(), rest);
  // turns modulo 4, in floats, since turns may overflow an integer.
  Value fourth = a.mul(turns, a.real(a.f64(), 0.25));
  Value whole = math::FloorOp::create(a.builder, a.loc, fourth);
  Value quadrant = a.fma(whole, a.real(a.f64(), -4), turns);
  quadrant = a.add(a.cast(a.i32(), quadrant), a.whole(a.i32(), quarter));

  Value z = a.mul(r, r);
  Value sine = a.mul(r, a.mul(z, a.polynomial(z, sines)));
  sine = a.add(r, sine);
  Value cosine = a.polynomial(z, cosines);
  auto bit = [&](int64_t mask) {
    Value masked = arith::AndIOp::create(a.builder, a.loc, quadrant,
                                         a.whole(a.i32(), mask));
    return a.compare(arith::CmpIPredicate::ne, masked, a.whole(a.i32(), 0));
  };
  Value result = a.select(bit(1), cosine, sine);
  return a.select(bit(2), a.sub(a.real(x.getType(), 0), result), result);
}

static Value expandSine(const Arithmetic &a, Value x, int64_t quarter) {
  return sineByPolynomials(
      a, x, quarter, {-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4},
      {1, -0.5, 4.166664568298827e-2, -1.388731625493765e-3,
       2.443315711809948e-5});
}

/// atan(x) for x in [0, 1]. Above tan(pi / 8), a rotation by pi / 4 makes the
/// argument of the polynomial small.
static Value angleOfSmall(const Arithmetic &a, Value x) {
  Value one = a.real(a.f32(), 1);
  Value turn = a.compare(arith::CmpFPredicate::OGT, x,
                         a.real(a.f32(), 0.41421356237309504880));
  x = a.select(turn, a.div(a.sub(x, one), a.add(x, one)), x);
  Value z = a.mul(x, x);
  Value series = a.polynomial(z, {-3.33329491539e-1, 1.99777106478e-1,
                                  -1.38776856032e-1, 8.05374449538e-2});
  Value angle = a.fma(a.mul(series, z), x, x);
  return a.add(angle, a.select(turn, a.real(a.f32(), 0.78539816339744830962),
                               a.real(a.f32(), 0)));
}

/// The angle of the point (x, y), from the smaller over the larger magnitude.
/// If both are zero or both infinite, the result is that of C.
static Value expandAtan2(const Arithmetic &a, Value y, Value x) {
  Value zero = a.real(a.f32(), 0);
  Value width = math::AbsFOp::create(a.builder, a.loc, x);
  Value height = math::AbsFOp::create(a.builder, a.loc, y);
  Value steep = a.compare(arith::CmpFPredicate::OGT, height, width);
  Value larger = a.select(steep, height, width);
  Value smaller = a.select(steep, width, height);
  // The quotient of two zeros or two infinities would be NaN.
  Value ofEqual = a.select(a.compare(arith::CmpFPredicate::OEQ, larger, zero),
                           zero, a.real(a.f32(), 1));
  Value ratio = a.select(a.compare(arith::CmpFPredicate::OEQ, smaller, larger),
                         ofEqual, a.div(smaller, larger));
  Value angle = angleOfSmall(a, ratio);
  angle = a.select(steep, a.sub(a.real(a.f32(), 1.57079632679489661923), angle),
                   angle);
  angle =
      a.select(isSigned(a, x),
               a.sub(a.real(a.f32(), 3.14159265358979323846), angle), angle);
  return math::CopySignOp::create(a.builder, a.loc, angle, y);
}

static Value expandAtan(const Arithmetic &a, Value x) {
  return expandAtan2(a, x, a.real(a.f32(), 1));
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

template <typename Op>
using ExpandF32 = ExpandFunction<Op, Float32Type>;

void stof::populateExpPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandF32<math::ExpOp>>(
      patterns.getContext(),
      [](const Arithmetic &a, ValueRange in) { return expandExp(a, in[0]); });
}

void stof::populateExp2Patterns(RewritePatternSet &patterns) {
  patterns.add<ExpandF32<math::Exp2Op>>(
      patterns.getContext(),
      [](const Arithmetic &a, ValueRange in) { return expandExp2(a, in[0]); });
}

void stof::populateFunctionPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandF32<math::ExpM1Op>>(
      context,
      [](const Arithmetic &a, ValueRange in) { return expandExpM1(a, in[0]); });
  patterns.add<ExpandF32<math::Log10Op>>(
      context,
      [](const Arithmetic &a, ValueRange in) { return expandLog10(a, in[0]); });
  patterns.add<ExpandF32<math::SinOp>>(context,
                                       [](const Arithmetic &a, ValueRange in) {
                                         return expandSine(a, in[0], 0);
                                       });
  patterns.add<ExpandF32<math::CosOp>>(context,
                                       [](const Arithmetic &a, ValueRange in) {
                                         return expandSine(a, in[0], 1);
                                       });
  patterns.add<ExpandF32<math::PowFOp>>(context,
                                        [](const Arithmetic &a, ValueRange in) {
                                          return expandPow(a, in[0], in[1]);
                                        });
  patterns.add<ExpandF32<math::CbrtOp>>(
      context,
      [](const Arithmetic &a, ValueRange in) { return expandCbrt(a, in[0]); });
  patterns.add<ExpandF32<math::AsinhOp>>(
      context,
      [](const Arithmetic &a, ValueRange in) { return expandAsinh(a, in[0]); });
  patterns.add<ExpandF32<math::AtanOp>>(
      context,
      [](const Arithmetic &a, ValueRange in) { return expandAtan(a, in[0]); });
  patterns.add<ExpandF32<math::Atan2Op>>(
      context, [](const Arithmetic &a, ValueRange in) {
        return expandAtan2(a, in[0], in[1]);
      });
}

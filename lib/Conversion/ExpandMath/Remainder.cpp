//===----------------------------------------------------------------------===//
// Expansion of the floating-point remainder, which is exact, as in C:
//
//   x = m 2^e, y = n 2^f, e >= f:   x rem y = (m 2^(e - f) rem n) 2^f
//
// The power is multiplied in a few bits at a time, which keeps each product in
// 64 bits. The result is assembled from bits and so does not depend on the
// treatment of subnormal numbers.
//===----------------------------------------------------------------------===//

#include "Functions.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

/// The format of f32.
static constexpr int64_t mantissaBits = 23, infinityBits = 0x7f800000,
                         nanBits = 0x7fc00000, exponentBias = 127;

namespace {
/// The remainder of two f32 by integer arithmetic on their bits.
class Remainder {
public:
  /// `distance` is the largest difference of exponents.
  Remainder(const Arithmetic &a, int64_t distance) : a(a), distance(distance) {}

  Value expand(Value x, Value y) const;

private:
  struct Parts {
    /// The bits without the sign, the exponent and the mantissa, as integers.
    Value bits, exponent, mantissa;
  };

  Value number(int64_t value) const { return a.whole(a.i32(), value); }
  Value isLess(Value lhs, Value rhs) const {
    return a.compare(CmpIPredicate::slt, lhs, rhs);
  }
  Value shiftLeft(Value value, Value count) const {
    return arith::ShLIOp::create(a.builder, a.loc, value, count);
  }
  Value minimum(Value lhs, Value rhs) const {
    return arith::MinSIOp::create(a.builder, a.loc, lhs, rhs);
  }
  Value maximum(Value lhs, Value rhs) const {
    return arith::MaxSIOp::create(a.builder, a.loc, lhs, rhs);
  }
  Value widen(Value value) const {
    return arith::ExtUIOp::create(a.builder, a.loc, a.i64(), value);
  }
  Parts split(Value value) const;
  Value reduce(const Parts &x, const Parts &y) const;
  Value join(Value mantissa, Value exponent) const;

  const Arithmetic &a;
  int64_t distance;
};
} // namespace

Remainder::Parts Remainder::split(Value value) const {
  Value bits =
      arith::AndIOp::create(a.builder, a.loc, a.bits(a.i32(), value),
                            number(std::numeric_limits<int32_t>::max()));
  Value exponent =
      arith::ShRUIOp::create(a.builder, a.loc, bits, number(mantissaBits));
  Value fraction = arith::AndIOp::create(
      a.builder, a.loc, bits, number((int64_t(1) << mantissaBits) - 1));
  // A subnormal number has the exponent 1 and no leading bit.
  Value isNormal = a.compare(CmpIPredicate::sgt, exponent, number(0));
  Value mantissa = a.select(
      isNormal, a.add(fraction, number(int64_t(1) << mantissaBits)), fraction);
  return {bits, maximum(exponent, number(1)), mantissa};
}

/// The mantissa of the remainder, if |x| >= |y|.
Value Remainder::reduce(const Parts &x, const Parts &y) const {
  // Mantissas are below 2^24.
  constexpr int64_t bitsOfStep = 62 - (mantissaBits + 1);
  Value left = maximum(a.sub(x.exponent, y.exponent), number(0));
  Value divisor = widen(maximum(y.mantissa, number(1)));
  Value rest = widen(x.mantissa);
  for (int64_t done = 0; done <= distance; done += bitsOfStep) {
    Value step = minimum(left, number(bitsOfStep));
    left = a.sub(left, step);
    rest = arith::RemUIOp::create(a.builder, a.loc,
                                  shiftLeft(rest, widen(step)), divisor);
  }
  return arith::TruncIOp::create(a.builder, a.loc, a.i32(), rest);
}

/// The bits of mantissa * 2^exponent.
Value Remainder::join(Value mantissa, Value exponent) const {
  // The conversion is exact and normalises the mantissa.
  Value asFloat = arith::UIToFPOp::create(a.builder, a.loc, a.f32(), mantissa);
  Value bits = a.bits(a.i32(), asFloat);
  Value own =
      arith::ShRUIOp::create(a.builder, a.loc, bits, number(mantissaBits));
  Value shift = a.sub(exponent, number(exponentBias + mantissaBits));
  Value normal = a.add(bits, shiftLeft(shift, number(mantissaBits)));
  Value subnormal = shiftLeft(
      mantissa, minimum(a.sub(exponent, number(1)), number(mantissaBits)));
  Value isNormal = a.compare(CmpIPredicate::sgt, a.add(own, shift), number(0));
  Value isZero = a.compare(CmpIPredicate::eq, mantissa, number(0));
  return a.select(isZero, number(0), a.select(isNormal, normal, subnormal));
}

Value Remainder::expand(Value x, Value y) const {
  Parts dividend = split(x), divisor = split(y);
  Value bits = join(reduce(dividend, divisor), divisor.exponent);
  bits = a.select(isLess(dividend.bits, divisor.bits), dividend.bits, bits);
  Value sign =
      arith::AndIOp::create(a.builder, a.loc, a.bits(a.i32(), x),
                            number(std::numeric_limits<int32_t>::min()));
  bits = arith::OrIOp::create(a.builder, a.loc, bits, sign);
  // NaN or infinity rem y and x rem NaN or 0 are NaN.
  Value infinity = number(infinityBits);
  auto either = [&](Value lhs, Value rhs) -> Value {
    return arith::OrIOp::create(a.builder, a.loc, lhs, rhs);
  };
  Value isNone =
      either(either(a.compare(CmpIPredicate::sge, dividend.bits, infinity),
                    a.compare(CmpIPredicate::sgt, divisor.bits, infinity)),
             a.compare(CmpIPredicate::eq, divisor.bits, number(0)));
  return a.bits(a.f32(), a.select(isNone, number(nanBits), bits));
}

namespace {
struct ExpandRemainder : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Type element = getElementTypeOrSelf(type);
    if (!element.isF16() && !element.isBF16() && !element.isF32())
      return rewriter.notifyMatchFailure(op, "not f16, bf16 or f32");
    Arithmetic a(rewriter, op.getLoc(), type);
    // f16 has a smaller range of exponents.
    constexpr int64_t distanceOfF16 = 40, distanceOfF32 = 253;
    Remainder remainder(a, element.isF16() ? distanceOfF16 : distanceOfF32);
    if (element.isF32()) {
      rewriter.replaceOp(op, remainder.expand(op.getLhs(), op.getRhs()));
      return success();
    }
    // Exact, since the remainder is representable in the narrow type.
    Value wide = remainder.expand(a.cast(a.f32(), op.getLhs()),
                                  a.cast(a.f32(), op.getRhs()));
    rewriter.replaceOp(op, a.cast(type, wide));
    return success();
  }
};
} // namespace

void stof::populateRemainderPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandRemainder>(patterns.getContext(), /*benefit=*/2);
}

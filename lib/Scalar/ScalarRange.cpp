//===----------------------------------------------------------------------===//
// Interval arithmetic.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarRange.h"

#include "stof/Scalar/ScalarFunctions.h"

#include <cmath>

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

using Wide = __int128;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The range, or an unknown one if a bound does not fit.
static IntegerRange narrow(Wide lo, Wide hi) {
  if (lo <= Wide(Expr::minInt) || hi >= Wide(Expr::maxInt))
    return {};
  return {int64_t(lo), int64_t(hi)};
}

static IntegerRange intersect(IntegerRange lhs, IntegerRange rhs) {
  return {std::max(lhs.lo, rhs.lo), std::min(lhs.hi, rhs.hi)};
}

static IntegerRange unite(IntegerRange lhs, IntegerRange rhs) {
  return {std::min(lhs.lo, rhs.lo), std::max(lhs.hi, rhs.hi)};
}

IntegerRange stof::inferSum(ArrayRef<IntegerRange> terms,
                            ArrayRef<int64_t> factors, int64_t constant) {
  constexpr int64_t largestTerm = int64_t(1) << 60;
  Wide lo = constant, hi = constant;
  for (auto [term, factor] : llvm::zip_equal(terms, factors)) {
    Wide first =
        term.lo == Expr::minInt ? std::min(-largestTerm, term.hi) : term.lo;
    Wide last =
        term.hi == Expr::maxInt ? std::max(largestTerm, term.lo) : term.hi;
    lo += std::min(first * factor, last * factor);
    hi += std::max(first * factor, last * factor);
    // Further products could overflow the sums themselves.
    constexpr Wide far = Wide(1) << 120;
    if (lo < -far || hi > far)
      return {};
  }
  return narrow(lo, hi);
}

static IntegerRange multiply(IntegerRange lhs, IntegerRange rhs) {
  if (!lhs.isKnown() || !rhs.isKnown())
    return {};
  Wide ends[] = {Wide(lhs.lo) * rhs.lo, Wide(lhs.lo) * rhs.hi,
                 Wide(lhs.hi) * rhs.lo, Wide(lhs.hi) * rhs.hi};
  return narrow(*std::min_element(ends, ends + 4),
                *std::max_element(ends, ends + 4));
}

static bool isPositiveConstant(IntegerRange range) {
  return range.isPoint() && range.lo > 0;
}

/// The range of a quotient by a positive constant, rounded by `divide`.
template <typename Divide>
static IntegerRange divideBounds(IntegerRange value, int64_t divisor,
                                 Divide divide) {
  auto divideBound = [&](int64_t bound) {
    bool isUnknown = bound == Expr::minInt || bound == Expr::maxInt;
    return isUnknown ? bound : divide(bound, divisor);
  };
  return {divideBound(value.lo), divideBound(value.hi)};
}

static IntegerRange inferFloorDiv(IntegerRange value, IntegerRange divisors) {
  if (!isPositiveConstant(divisors))
    return {};
  return divideBounds(value, divisors.lo,
                      llvm::divideFloorSigned<int64_t, int64_t>);
}

static IntegerRange inferDivS(IntegerRange value, IntegerRange divisors) {
  if (isPositiveConstant(divisors))
    return divideBounds(value, divisors.lo, std::divides<int64_t>());
  // The magnitude of a quotient is at most that of its dividend.
  if (!value.isKnown())
    return {};
  int64_t most = std::max(std::abs(value.lo), std::abs(value.hi));
  return {-most, most};
}

/// The range of a remainder of floor division by a positive constant.
static IntegerRange inferMod(IntegerRange value, IntegerRange divisors) {
  if (!isPositiveConstant(divisors))
    return {};
  int64_t divisor = divisors.lo;
  if (value.isKnown()) {
    // Within one period the remainder is monotonic in the value.
    int64_t period = llvm::divideFloorSigned(value.lo, divisor);
    if (period == llvm::divideFloorSigned(value.hi, divisor))
      return {value.lo - period * divisor, value.hi - period * divisor};
  }
  return {0, divisor - 1};
}

/// The range of a remainder of truncated division. It has the sign of its
/// dividend and at most its magnitude.
static IntegerRange inferRemS(IntegerRange value, IntegerRange divisors) {
  bool isFixed = isPositiveConstant(divisors);
  if (isFixed && value.lo >= 0)
    return inferMod(value, divisors);
  if (isFixed && value.isPoint())
    return IntegerRange::point(value.lo % divisors.lo);
  int64_t last = isFixed ? divisors.lo - 1 : Expr::maxInt;
  int64_t first = isFixed ? -last : Expr::minInt;
  return {std::max(first, std::min<int64_t>(value.lo, 0)),
          std::min(last, std::max<int64_t>(value.hi, 0))};
}

/// The range of logic, bit by bit only for predicates.
static IntegerRange combineBits(ScalarOp op, IntegerRange lhs,
                                IntegerRange rhs) {
  if (lhs.isPoint() && rhs.isPoint())
    return IntegerRange::point(*evaluateInteger(op, {lhs.lo, rhs.lo}));
  auto isBool = [](IntegerRange range) {
    return range.lo >= 0 && range.hi <= 1;
  };
  if (!isBool(lhs) || !isBool(rhs))
    return {};
  // Neither of conjunction and disjunction falls where an operand grows.
  if (op == ScalarOp::And)
    return {lhs.lo & rhs.lo, lhs.hi & rhs.hi};
  if (op == ScalarOp::Or)
    return {lhs.lo | rhs.lo, lhs.hi | rhs.hi};
  return {0, 1};
}

IntegerRange stof::inferRange(ScalarOp op, ArrayRef<IntegerRange> operands) {
  IntegerRange lhs = operands.front(), rhs = operands.back();
  switch (op) {
  case ScalarOp::MulI:
    return multiply(lhs, rhs);
  case ScalarOp::FloorDiv:
    return inferFloorDiv(lhs, rhs);
  case ScalarOp::DivS:
    return inferDivS(lhs, rhs);
  case ScalarOp::Mod:
    return inferMod(lhs, rhs);
  case ScalarOp::RemS:
    return inferRemS(lhs, rhs);
  case ScalarOp::MinI:
    return {std::min(lhs.lo, rhs.lo), std::min(lhs.hi, rhs.hi)};
  case ScalarOp::MaxI:
    return {std::max(lhs.lo, rhs.lo), std::max(lhs.hi, rhs.hi)};
  case ScalarOp::AbsI: {
    if (lhs.lo >= 0)
      return lhs;
    int64_t opposite = lhs.lo == Expr::minInt ? Expr::maxInt : -lhs.lo;
    return lhs.hi <= 0 ? IntegerRange{-lhs.hi, opposite}
                       : IntegerRange{0, std::max(opposite, lhs.hi)};
  }
  case ScalarOp::And:
  case ScalarOp::Or:
  case ScalarOp::Xor:
    return combineBits(op, lhs, rhs);
  default:
    llvm_unreachable("expects an operation of integers or logic");
  }
}

std::optional<bool> stof::decide(CmpIPredicate predicate, IntegerRange lhs,
                                 IntegerRange rhs) {
  if (isUnsigned(predicate)) {
    if (lhs.isPoint() && rhs.isPoint())
      return compareIntegers(predicate, lhs.lo, rhs.lo);
    // Unsigned comparisons equal signed ones if neither side is negative.
    if (lhs.lo < 0 || rhs.lo < 0)
      return std::nullopt;
    predicate = toSigned(predicate);
  }
  auto choose = [](bool isTrue, bool isFalse) {
    return isTrue || isFalse ? std::optional(isTrue) : std::nullopt;
  };
  bool isBelow = lhs.hi<rhs.lo, isAbove = lhs.lo> rhs.hi;
  bool isAtMost = lhs.hi <= rhs.lo, isAtLeast = lhs.lo >= rhs.hi;
  bool isSame = lhs.isPoint() && rhs.isPoint() && lhs.lo == rhs.lo;
  switch (predicate) {
  case CmpIPredicate::eq:
    return choose(isSame, isBelow || isAbove);
  case CmpIPredicate::ne:
    return choose(isBelow || isAbove, isSame);
  case CmpIPredicate::slt:
    return choose(isBelow, isAtLeast);
  case CmpIPredicate::sle:
    return choose(isAtMost, isAbove);
  case CmpIPredicate::sgt:
    return choose(isAbove, isAtMost);
  default:
    return choose(isAtLeast, isBelow);
  }
}

IntegerRange stof::getTypeRange(Type type, bool isSigned) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width >= 64)
    return {};
  if (!isSigned)
    return {0, int64_t(llvm::maxUIntN(width))};
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

IntegerRange stof::inferRange(const Expr *expr,
                              ArrayRef<IntegerRange> operands) {
  switch (expr->op) {
  case ScalarOp::Constant:
    return IntegerRange::point(*evaluateInteger(expr, {}));
  case ScalarOp::Linear:
    return inferSum(operands, expr->ints.drop_back(), expr->ints.back());
  case ScalarOp::FromInt:
    return intersect(operands[0], getTypeRange(expr->operands[0]->type,
                                               /*isSigned=*/true));
  case ScalarOp::FromUInt: {
    IntegerRange range = getTypeRange(expr->operands[0]->type,
                                      /*isSigned=*/false);
    return operands[0].lo >= 0 ? intersect(operands[0], range) : range;
  }
  case ScalarOp::CmpI: {
    std::optional<bool> known =
        decide(expr->getIntPredicate(), operands[0], operands[1]);
    return known ? IntegerRange::point(*known) : IntegerRange{0, 1};
  }
  case ScalarOp::Select:
    if (operands[0].isPoint())
      return operands[0].lo ? operands[1] : operands[2];
    return unite(operands[1], operands[2]);
  default:
    return inferRange(expr->op, operands);
  }
}

//===----------------------------------------------------------------------===//
// Reals
//===----------------------------------------------------------------------===//

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// The range of a function that is monotonic in each operand: that of its
/// values at the ends.
template <typename Function>
static RealRange inferFromEnds(RealRange lhs, RealRange rhs,
                               Function function) {
  RealRange range{infinity, -infinity};
  for (double x : {lhs.lo, lhs.hi})
    for (double y : {rhs.lo, rhs.hi}) {
      double value = function(x, y);
      range = {std::min(range.lo, value), std::max(range.hi, value)};
    }
  return range;
}

/// The range of a float operation, with NaN for bounds that are none.
static RealRange inferBounds(ScalarOp op, RealRange lhs, RealRange rhs) {
  switch (op) {
  case ScalarOp::AddF:
    return {lhs.lo + rhs.lo, lhs.hi + rhs.hi};
  case ScalarOp::SubF:
    return {lhs.lo - rhs.hi, lhs.hi - rhs.lo};
  case ScalarOp::MulF:
    return inferFromEnds(lhs, rhs, [](double x, double y) {
      return x == 0 || y == 0 ? 0 : x * y;
    });
  case ScalarOp::DivF:
    if (rhs.lo <= 0 && rhs.hi >= 0)
      return {-infinity, infinity};
    return inferFromEnds(lhs, rhs, [](double x, double y) {
      return x == 0 || std::isinf(y) ? 0 : x / y;
    });
  case ScalarOp::NegF:
    return {-lhs.hi, -lhs.lo};
  case ScalarOp::AbsF:
    return {0, std::max(std::abs(lhs.lo), std::abs(lhs.hi))};
  default: {
    // The others do not fall where an operand grows.
    double lows[] = {lhs.lo, rhs.lo}, highs[] = {lhs.hi, rhs.hi};
    return {evaluateFloat(op, lows), evaluateFloat(op, highs)};
  }
  }
}

RealRange stof::inferRange(ScalarOp op, ArrayRef<RealRange> operands) {
  RealRange range = inferBounds(op, operands.front(), operands.back());
  return {std::isnan(range.lo) ? -infinity : range.lo,
          std::isnan(range.hi) ? infinity : range.hi};
}

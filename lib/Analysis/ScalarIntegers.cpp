//===----------------------------------------------------------------------===//
// Scalar expressions: integers. Sums are kept as factor times term, sorted, so
// that index arithmetic which undoes itself (collapse then expand a dimension)
// disappears; ranges decide what division and modulo leave.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/ScalarExpr.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

using Wide = __int128;

namespace {
/// A range with both ends included; ends beyond 64 bits are unknown.
struct Interval {
  Wide lo, hi;

  static constexpr Wide unknownLo = -(Wide(1) << 100);
  static constexpr Wide unknownHi = Wide(1) << 100;

  static Interval of(const Expr *expr) {
    return {expr->lo == Expr::minInt ? unknownLo : Wide(expr->lo),
            expr->hi == Expr::maxInt ? unknownHi : Wide(expr->hi)};
  }
  Interval operator+(Interval other) const {
    return {lo + other.lo, hi + other.hi};
  }
  Interval operator*(int64_t factor) const {
    Wide a = clamp(lo) * factor, b = clamp(hi) * factor;
    return {std::min(a, b), std::max(a, b)};
  }
  static Wide clamp(Wide value) {
    return std::max(unknownLo >> 40, std::min(unknownHi >> 40, value));
  }
  int64_t getLo() const {
    return lo <= Wide(Expr::minInt)  ? Expr::minInt
           : lo > Wide(Expr::maxInt) ? Expr::maxInt
                                     : int64_t(lo);
  }
  int64_t getHi() const {
    return hi >= Wide(Expr::maxInt)  ? Expr::maxInt
           : hi < Wide(Expr::minInt) ? Expr::minInt
                                     : int64_t(hi);
  }
  bool isKnown() const {
    return lo > Wide(Expr::minInt) && hi < Wide(Expr::maxInt);
  }
};

/// A sum of terms times factors, and a constant.
struct Sum {
  SmallVector<std::pair<const Expr *, int64_t>> terms;
  int64_t constant = 0;

  static Sum of(const Expr *expr) {
    Sum sum;
    if (std::optional<int64_t> known = expr->getInt()) {
      sum.constant = *known;
    } else if (expr->op == ScalarOp::Linear) {
      for (auto [term, factor] : llvm::zip(expr->operands, expr->ints))
        sum.terms.push_back({term, factor});
      sum.constant = expr->ints.back();
    } else {
      sum.terms.push_back({expr, 1});
    }
    return sum;
  }
  const Expr *build(ExprContext &context) const {
    SmallVector<const Expr *> exprs;
    SmallVector<int64_t> factors;
    for (auto [term, factor] : terms) {
      exprs.push_back(term);
      factors.push_back(factor);
    }
    return context.linear(exprs, factors, constant);
  }
};
} // namespace

static bool fits(Wide value) {
  return value > Wide(Expr::minInt) && value < Wide(Expr::maxInt);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// `factor * n * (x floordiv n) + factor * (x mod n)` is `factor * x`.
static bool
joinQuotients(SmallVectorImpl<std::pair<const Expr *, int64_t>> &terms) {
  for (auto &[rest, factor] : terms) {
    if (rest->op != ScalarOp::Mod)
      continue;
    std::optional<int64_t> divisor = rest->operands[1]->getInt();
    if (!divisor || !fits(Wide(*divisor) * factor))
      continue;
    for (auto &[quotient, scaled] : terms)
      if (quotient->op == ScalarOp::FloorDiv &&
          quotient->operands[0] == rest->operands[0] &&
          quotient->operands[1] == rest->operands[1] &&
          scaled == *divisor * factor) {
        rest = rest->operands[0];
        scaled = 0;
        return true;
      }
  }
  return false;
}

const Expr *ExprContext::linear(ArrayRef<const Expr *> exprs,
                                ArrayRef<int64_t> factors, int64_t constant) {
  SmallVector<std::pair<const Expr *, int64_t>> terms;
  Wide total = constant;
  auto append = [&](const Expr *expr, int64_t factor) {
    Sum sum = Sum::of(expr);
    for (auto [term, inner] : sum.terms) {
      if (!fits(Wide(inner) * factor))
        return false;
      terms.push_back({term, inner * factor});
    }
    total += Wide(sum.constant) * factor;
    return true;
  };
  for (auto [expr, factor] : llvm::zip(exprs, factors))
    if (!append(expr, factor))
      terms.push_back({expr, factor});

  for (bool changed = true; changed;) {
    llvm::sort(terms, [](auto &lhs, auto &rhs) {
      return lhs.first->id < rhs.first->id;
    });
    SmallVector<std::pair<const Expr *, int64_t>> merged;
    for (auto [term, factor] : terms) {
      if (factor == 0)
        continue;
      if (!merged.empty() && merged.back().first == term &&
          fits(Wide(merged.back().second) + factor)) {
        merged.back().second += factor;
        if (merged.back().second == 0)
          merged.pop_back();
      } else {
        merged.push_back({term, factor});
      }
    }
    terms = std::move(merged);
    changed = joinQuotients(terms);
    if (changed) {
      // What was joined may itself be a sum.
      SmallVector<std::pair<const Expr *, int64_t>> open = std::move(terms);
      terms.clear();
      for (auto [term, factor] : open)
        if (factor != 0 && !append(term, factor))
          terms.push_back({term, factor});
    }
  }
  // 64-bit arithmetic wraps, and so does the constant.
  int64_t wrapped = int64_t(uint64_t(total));
  if (terms.empty())
    return integer(wrapped);
  if (terms.size() == 1 && terms[0].second == 1 && wrapped == 0)
    return terms[0].first;

  Interval range{wrapped, wrapped};
  SmallVector<const Expr *> operands;
  SmallVector<int64_t> ints;
  for (auto [term, factor] : terms) {
    range = range + Interval::of(term) * factor;
    operands.push_back(term);
    ints.push_back(factor);
  }
  ints.push_back(wrapped);
  if (!range.isKnown())
    range = {Wide(Expr::minInt), Wide(Expr::maxInt)};
  return unique(ScalarOp::Linear, indexType, operands, ints, {}, {},
                range.getLo(), range.getHi());
}

const Expr *ExprContext::add(const Expr *lhs, const Expr *rhs) {
  return linear({lhs, rhs}, {1, 1}, 0);
}

const Expr *ExprContext::sub(const Expr *lhs, const Expr *rhs) {
  return linear({lhs, rhs}, {1, -1}, 0);
}

const Expr *ExprContext::mul(const Expr *lhs, const Expr *rhs) {
  if (lhs->getInt())
    std::swap(lhs, rhs);
  if (std::optional<int64_t> factor = rhs->getInt())
    return linear({lhs}, {*factor}, 0);
  // Selects of constants take the other factor in: a condition times a number.
  if (rhs->op == ScalarOp::Select && rhs->operands[1]->getInt() &&
      rhs->operands[2]->getInt())
    std::swap(lhs, rhs);
  if (lhs->op == ScalarOp::Select && lhs->operands[1]->getInt() &&
      lhs->operands[2]->getInt())
    return select(lhs->operands[0], mul(lhs->operands[1], rhs),
                  mul(lhs->operands[2], rhs));
  // Short sums are multiplied out, so that sizes cancel.
  constexpr unsigned shortSum = 8;
  if (rhs->op == ScalarOp::Linear)
    std::swap(lhs, rhs);
  if (lhs->op == ScalarOp::Linear && lhs->operands.size() <= shortSum &&
      rhs->op != ScalarOp::Linear) {
    SmallVector<const Expr *> terms;
    SmallVector<int64_t> factors;
    for (auto [term, factor] : llvm::zip(lhs->operands, lhs->ints)) {
      terms.push_back(mul(term, rhs));
      factors.push_back(factor);
    }
    terms.push_back(rhs);
    factors.push_back(lhs->ints.back());
    return linear(terms, factors, 0);
  }
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  Interval range{Wide(Expr::minInt), Wide(Expr::maxInt)};
  Interval a = Interval::of(lhs), b = Interval::of(rhs);
  if (a.isKnown() && b.isKnown()) {
    Wide ends[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    range = {*std::min_element(ends, ends + 4),
             *std::max_element(ends, ends + 4)};
    if (!range.isKnown())
      range = {Wide(Expr::minInt), Wide(Expr::maxInt)};
  }
  return unique(ScalarOp::MulI, indexType, {lhs, rhs}, {}, {}, {},
                range.getLo(), range.getHi());
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// `expr / factor` where `factor` is one of the things multiplied in `expr`, or
/// null.
static const Expr *cancel(ExprContext &context, const Expr *expr,
                          const Expr *factor) {
  if (expr == factor)
    return context.integer(1);
  if (expr->op != ScalarOp::MulI)
    return nullptr;
  for (unsigned side : {0, 1})
    if (const Expr *quotient = cancel(context, expr->operands[side], factor))
      return context.mul(quotient, expr->operands[1 - side]);
  return nullptr;
}

/// Splits `expr` into `multiple * divisor + rest`, where 0 <= rest < divisor is
/// certain, for a divisor that is not a constant.
static bool splitBySize(ExprContext &context, const Expr *expr,
                        const Expr *divisor, const Expr *&multiple,
                        const Expr *&rest) {
  Sum sum = Sum::of(expr), left;
  left.constant = sum.constant;
  multiple = context.integer(0);
  // A divisor with a constant factor, such as 4 * s.
  const Expr *symbol = divisor;
  int64_t scale = 1;
  if (divisor->op == ScalarOp::Linear && divisor->operands.size() == 1 &&
      divisor->ints.back() == 0 && divisor->ints[0] > 0) {
    symbol = divisor->operands[0];
    scale = divisor->ints[0];
  }
  for (auto [term, factor] : sum.terms) {
    const Expr *quotient = cancel(context, term, symbol);
    if (quotient && factor % scale == 0)
      multiple = context.linear({multiple, quotient}, {1, factor / scale}, 0);
    else
      left.terms.push_back({term, factor});
  }
  rest = left.build(context);
  if (rest->getInt() == 0 && divisor->lo > 0)
    return true;
  if (rest->getInt() == 0 && multiple->getInt() != 0)
    return true; // Division by a size of zero has no meaning.
  return (rest->op == ScalarOp::Variable || rest->op == ScalarOp::Bound) &&
         rest->operands[0] == divisor;
}

/// Splits `expr` into `scale * outer + inner` with 0 <= inner < scale, for the
/// largest scale that divides `divisor`; true if one was found.
static bool splitByFactor(ExprContext &context, const Expr *expr,
                          int64_t divisor, int64_t &scale, const Expr *&outer,
                          const Expr *&inner) {
  Sum sum = Sum::of(expr);
  SmallVector<int64_t> scales;
  for (auto [term, factor] : sum.terms)
    if (int64_t size = std::gcd(factor, divisor); size > 1)
      scales.push_back(size);
  llvm::sort(scales, std::greater<>());
  for (int64_t candidate : scales) {
    Sum high, low;
    for (auto [term, factor] : sum.terms)
      if (factor % candidate == 0)
        high.terms.push_back({term, factor / candidate});
      else
        low.terms.push_back({term, factor});
    int64_t remainder = llvm::mod(sum.constant, candidate);
    low.constant = remainder;
    high.constant = (sum.constant - remainder) / candidate;
    inner = low.build(context);
    if (inner->lo < 0 || inner->hi >= candidate)
      continue;
    scale = candidate;
    outer = high.build(context);
    return true;
  }
  return false;
}

const Expr *ExprContext::floorDiv(const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> divisor = rhs->getInt();
  if (!divisor) {
    const Expr *multiple, *rest;
    if (splitBySize(*this, lhs, rhs, multiple, rest))
      return multiple;
    return unique(ScalarOp::FloorDiv, indexType, {lhs, rhs});
  }
  if (*divisor == 1)
    return lhs;
  bool known = Interval::of(lhs).isKnown();
  if (*divisor <= 0 || !known)
    return unique(ScalarOp::FloorDiv, indexType, {lhs, rhs});
  if (int64_t first = llvm::divideFloorSigned(lhs->lo, *divisor);
      first == llvm::divideFloorSigned(lhs->hi, *divisor))
    return integer(first);
  if (lhs->op == ScalarOp::FloorDiv)
    if (std::optional<int64_t> inner = lhs->operands[1]->getInt();
        inner && *inner > 0 && fits(Wide(*inner) * *divisor))
      return floorDiv(lhs->operands[0], integer(*inner * *divisor));
  if (lhs->op == ScalarOp::Mod)
    if (std::optional<int64_t> inner = lhs->operands[1]->getInt();
        inner && *inner > 0 && *inner % *divisor == 0)
      return mod(floorDiv(lhs->operands[0], rhs), integer(*inner / *divisor));

  int64_t scale;
  const Expr *outer, *inner;
  if (splitByFactor(*this, lhs, *divisor, scale, outer, inner)) {
    if (scale == *divisor)
      return outer;
    return floorDiv(outer, integer(*divisor / scale));
  }
  // Whole multiples of the divisor come out.
  Sum sum = Sum::of(lhs), out, left;
  for (auto [term, factor] : sum.terms)
    (factor % *divisor == 0 ? out : left)
        .terms.push_back(
            {term, factor % *divisor == 0 ? factor / *divisor : factor});
  left.constant = llvm::mod(sum.constant, *divisor);
  out.constant = (sum.constant - left.constant) / *divisor;
  if (!out.terms.empty() || out.constant != 0)
    return add(out.build(*this), floorDiv(left.build(*this), rhs));
  return unique(ScalarOp::FloorDiv, indexType, {lhs, rhs}, {}, {}, {},
                llvm::divideFloorSigned(lhs->lo, *divisor),
                llvm::divideFloorSigned(lhs->hi, *divisor));
}

const Expr *ExprContext::mod(const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> divisor = rhs->getInt();
  if (!divisor) {
    const Expr *multiple, *rest;
    if (splitBySize(*this, lhs, rhs, multiple, rest))
      return rest;
    return unique(ScalarOp::Mod, indexType, {lhs, rhs});
  }
  bool known = Interval::of(lhs).isKnown();
  if (*divisor <= 0)
    return unique(ScalarOp::Mod, indexType, {lhs, rhs});
  if (*divisor == 1)
    return integer(0);
  if (!known)
    return unique(ScalarOp::Mod, indexType, {lhs, rhs}, {}, {}, {}, 0,
                  *divisor - 1);
  if (lhs->lo >= 0 && lhs->hi < *divisor)
    return lhs;
  if (lhs->op == ScalarOp::Mod)
    if (std::optional<int64_t> inner = lhs->operands[1]->getInt();
        inner && *inner > 0 && *inner % *divisor == 0)
      return mod(lhs->operands[0], rhs);

  int64_t scale;
  const Expr *outer, *inner;
  if (splitByFactor(*this, lhs, *divisor, scale, outer, inner)) {
    if (scale == *divisor)
      return inner;
    return linear({mod(outer, integer(*divisor / scale)), inner}, {scale, 1},
                  0);
  }
  Sum sum = Sum::of(lhs), left;
  for (auto [term, factor] : sum.terms)
    if (factor % *divisor != 0)
      left.terms.push_back({term, factor});
  left.constant = llvm::mod(sum.constant, *divisor);
  const Expr *reduced = left.build(*this);
  if (reduced != lhs)
    return mod(reduced, rhs);
  return unique(ScalarOp::Mod, indexType, {lhs, rhs}, {}, {}, {}, 0,
                *divisor - 1);
}

const Expr *ExprContext::divS(const Expr *lhs, const Expr *rhs) {
  if (lhs->lo >= 0 && rhs->lo >= 0)
    return floorDiv(lhs, rhs);
  if (std::optional<int64_t> a = lhs->getInt(), b = rhs->getInt();
      a && b && *b != 0 && *b != -1)
    return integer(*a / *b);
  return unique(ScalarOp::DivS, indexType, {lhs, rhs});
}

const Expr *ExprContext::remS(const Expr *lhs, const Expr *rhs) {
  if (lhs->lo >= 0 && rhs->lo >= 0)
    return mod(lhs, rhs);
  std::optional<int64_t> divisor = rhs->getInt();
  if (std::optional<int64_t> a = lhs->getInt();
      a && divisor && *divisor != 0 && *divisor != -1)
    return integer(*a % *divisor);
  int64_t last = divisor && *divisor > 0 ? *divisor - 1 : Expr::maxInt;
  return unique(ScalarOp::RemS, indexType, {lhs, rhs}, {}, {}, {},
                divisor && *divisor > 0 ? -last : Expr::minInt, last);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

const Expr *ExprContext::minMax(ScalarOp op, const Expr *lhs, const Expr *rhs) {
  bool isMin = op == ScalarOp::MinI;
  if (lhs == rhs)
    return lhs;
  if (lhs->hi <= rhs->lo)
    return isMin ? lhs : rhs;
  if (rhs->hi <= lhs->lo)
    return isMin ? rhs : lhs;
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  int64_t lo = isMin ? std::min(lhs->lo, rhs->lo) : std::max(lhs->lo, rhs->lo);
  int64_t hi = isMin ? std::min(lhs->hi, rhs->hi) : std::max(lhs->hi, rhs->hi);
  return unique(op, indexType, {lhs, rhs}, {}, {}, {}, lo, hi);
}

const Expr *ExprContext::minI(const Expr *lhs, const Expr *rhs) {
  return minMax(ScalarOp::MinI, lhs, rhs);
}

const Expr *ExprContext::maxI(const Expr *lhs, const Expr *rhs) {
  return minMax(ScalarOp::MaxI, lhs, rhs);
}

const Expr *ExprContext::absI(const Expr *operand) {
  if (operand->lo >= 0)
    return operand;
  if (operand->hi <= 0)
    return linear({operand}, {-1}, 0);
  int64_t hi = operand->lo == Expr::minInt
                   ? Expr::maxInt
                   : std::max(-operand->lo, operand->hi);
  // |a - b| and |b - a| are one node: the first factor is positive.
  if (operand->op == ScalarOp::Linear && operand->ints[0] < 0 &&
      Interval::of(operand).isKnown())
    operand = linear({operand}, {-1}, 0);
  return unique(ScalarOp::AbsI, indexType, {operand}, {}, {}, {}, 0, hi);
}

const Expr *ExprContext::fromInt(const Expr *typed, bool isSigned) {
  if (typed->isIndex())
    return typed;
  unsigned width = typed->type.getIntOrFloatBitWidth();
  if (typed->isTruth())
    return select(typed, integer(isSigned ? -1 : 1), integer(0));
  int64_t lo = Expr::minInt, hi = Expr::maxInt;
  if (width < 64) {
    lo = isSigned ? -(int64_t(1) << (width - 1)) : 0;
    hi = (int64_t(1) << (isSigned ? width - 1 : width)) - 1;
  }
  return unique(isSigned ? ScalarOp::FromInt : ScalarOp::FromUInt, indexType,
                {typed}, {}, {}, {}, lo, hi);
}

//===----------------------------------------------------------------------===//
// Ranges and sums of scalar integer expressions, for their simplification.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SCALAR_INTEGERSUMS_H
#define STOF_LIB_SCALAR_INTEGERSUMS_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

using Wide = __int128;

/// An inclusive range; bounds beyond 64 bits are unknown.
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

/// A linear combination of terms, plus a constant.
struct Sum {
  llvm::SmallVector<std::pair<const Expr *, int64_t>> terms;
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
    llvm::SmallVector<const Expr *> exprs;
    llvm::SmallVector<int64_t> factors;
    for (auto [term, factor] : terms) {
      exprs.push_back(term);
      factors.push_back(factor);
    }
    return context.linear(exprs, factors, constant);
  }
};

inline bool fits(Wide value) {
  return value > Wide(Expr::minInt) && value < Wide(Expr::maxInt);
}

} // namespace stof

#endif // STOF_LIB_SCALAR_INTEGERSUMS_H

//===----------------------------------------------------------------------===//
// The normal form of size expressions, by which they are compared, counted and
// proven: polynomials over symbols, quotients, minima, maxima, comparisons, and
// sums over row tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_COUNTEXPR_H
#define STOF_SIZE_COUNTEXPR_H

#include "stof/Size/SizeExpr.h"

#include <map>
#include <vector>

namespace stof {

/// An integer, kept as a polynomial: equal terms cancel and constants fold.
/// What is not a sum or a product of others is an atom of the polynomial.
///
/// Example: sum("i0", n, i0 + 1) is `floordiv(n * n + n, 2)`.
class CountExpr {
public:
  CountExpr(int64_t value = 0);
  static CountExpr symbol(llvm::StringRef name);
  static CountExpr floorDivide(const CountExpr &value, int64_t divisor);
  static CountExpr ceilDivide(const CountExpr &value, int64_t divisor) {
    return floorDivide(value + (divisor - 1), divisor);
  }
  /// The quotient if `divisor` is a monomial that divides every term of
  /// `value`. The value of `divisor` must not be zero.
  static std::optional<CountExpr> divideExactly(const CountExpr &value,
                                                const CountExpr &divisor);
  static CountExpr minimum(const CountExpr &lhs, const CountExpr &rhs);
  static CountExpr maximum(const CountExpr &lhs, const CountExpr &rhs);
  /// 1 if `value` >= 0, else 0.
  static CountExpr isNonNegative(const CountExpr &value);
  /// The sum of `body` over 0 <= `index` < `count`, in closed form for terms
  /// that are affine in `index`. `count` must not be negative.
  static CountExpr sum(llvm::StringRef index, const CountExpr &count,
                       const CountExpr &body);

  /// `lhs op rhs`. Divisors are assumed not to be zero.
  static CountExpr get(SizeOperator op, const CountExpr &lhs,
                       const CountExpr &rhs);

  /// Logic on 1 and 0.
  static CountExpr logicalNot(const CountExpr &value) {
    return CountExpr(1) - value;
  }
  static CountExpr logicalOr(const CountExpr &lhs, const CountExpr &rhs) {
    return lhs + rhs - lhs * rhs;
  }
  static CountExpr logicalXor(const CountExpr &lhs, const CountExpr &rhs) {
    return lhs + rhs - lhs * rhs * 2;
  }

  /// The normal form of `expr`, with its symbols replaced by the values that
  /// `symbols` returns; std::nullopt if one of them has none.
  static std::optional<CountExpr> normalize(
      const SizeExpr &expr,
      llvm::function_ref<std::optional<CountExpr>(llvm::StringRef)> symbols);
  static CountExpr normalize(const SizeExpr &expr);
  SizeExpr toSizeExpr() const;

  /// Whether a coefficient could not be represented; the expression is
  /// meaningless then.
  bool isTooLarge() const { return tooLarge; }
  std::optional<int64_t> constant() const;
  /// The approximate length of its text.
  size_t getLength() const;

  CountExpr &operator+=(const CountExpr &other);
  friend CountExpr operator+(CountExpr lhs, const CountExpr &rhs) {
    return lhs += rhs;
  }
  friend CountExpr operator*(const CountExpr &lhs, const CountExpr &rhs);
  friend CountExpr operator-(const CountExpr &lhs, const CountExpr &rhs) {
    return lhs + rhs * -1;
  }
  friend bool operator==(const CountExpr &lhs, const CountExpr &rhs) {
    return lhs.halves == rhs.halves && lhs.tooLarge == rhs.tooLarge;
  }

private:
  /// Sorted factors: symbols, and operators other than + - *.
  using Monomial = std::vector<SizeExpr>;

  static CountExpr atom(const SizeExpr &expr);
  static CountExpr extreme(SizeOperator op, const CountExpr &lhs,
                           const CountExpr &rhs);
  static CountExpr divide(SizeOperator op, const CountExpr &lhs,
                          const CountExpr &rhs);
  void add(const Monomial &monomial, int64_t halvesMore);
  /// Whether the signs of its terms prove it nonnegative.
  bool cannotBeNegative() const;
  /// Whether all coefficients are integers.
  bool isWhole() const;
  /// Whether it is known to be even for all values of its symbols.
  bool isAlwaysEven() const;
  /// The sum of its terms, with coefficients in multiples of `unit` halves.
  SizeExpr sumTerms(int64_t unit) const;

  /// Twice the coefficients: n (n - 1) / 2 is whole though its terms are not.
  std::map<Monomial, int64_t> halves;
  bool tooLarge = false;
};

CountExpr operator*(const CountExpr &lhs, const CountExpr &rhs);

} // namespace stof

#endif // STOF_SIZE_COUNTEXPR_H

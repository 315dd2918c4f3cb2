//===----------------------------------------------------------------------===//
// Counts as expressions of run-time sizes: polynomials over symbols, divisions
// by constants, minima, maxima, comparisons, and sums over row tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_COUNTEXPR_H
#define STOF_SIZE_COUNTEXPR_H

#include "mlir/IR/Attributes.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stof {

/// An integer in the syntax of manifest expressions (Target/SizeExpr.h) with
/// one additional operator: `["sum", NAME, COUNT, BODY]` is the sum of BODY
/// over 0 <= NAME < COUNT, and 0 if COUNT is below 1.
///
/// Values are kept as polynomials: equal terms cancel and constants fold. A
/// symbol is a size, hence nonnegative, unless it names a captured number
/// (c0, c1, ...).
///
/// Example: sum("i0", n, i0 + 1) is `["floordiv", ["+", ["*", n, n], n], 2]`.
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

  /// Parses an expression, replacing its symbols by the values that `symbols`
  /// returns; std::nullopt if one of them has none.
  static std::optional<CountExpr>
  parse(const llvm::json::Value &value,
        llvm::function_ref<std::optional<CountExpr>(llvm::StringRef)> symbols);
  static std::optional<CountExpr>
  parse(mlir::Attribute value,
        llvm::function_ref<std::optional<CountExpr>(llvm::StringRef)> symbols);

  /// Whether a coefficient could not be represented; the expression is
  /// meaningless then.
  bool isTooLarge() const { return tooLarge; }
  std::optional<int64_t> constant() const;
  llvm::json::Value toJSON() const;
  /// The JSON form as integer, string and array attributes.
  mlir::Attribute toAttribute(mlir::MLIRContext *context) const;
  /// The infix form of a result of toAttribute: `floordiv(n * n + n, 2)`.
  static std::string getText(mlir::Attribute value);
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
  /// Sorted factors: symbols, and other expressions as JSON.
  using Monomial = std::vector<std::string>;

  static CountExpr atom(const llvm::json::Value &value);
  static CountExpr extreme(llvm::StringRef op, const CountExpr &lhs,
                           const CountExpr &rhs);
  void add(const Monomial &monomial, int64_t halvesMore);
  /// Whether the signs of its terms prove it nonnegative.
  bool cannotBeNegative() const;
  /// Whether all coefficients are integers.
  bool isWhole() const;
  /// Whether it is known to be even for all values of its symbols.
  bool isAlwaysEven() const;
  llvm::json::Value linearToJSON(int64_t unit) const;

  /// Twice the coefficients: n (n - 1) / 2 is whole though its terms are not.
  std::map<Monomial, int64_t> halves;
  bool tooLarge = false;
};

} // namespace stof

#endif // STOF_SIZE_COUNTEXPR_H

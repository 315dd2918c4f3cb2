//===----------------------------------------------------------------------===//
// Counts as expressions of sizes that are known at run time only: polynomials
// over symbols, divisions by constants, minima, maxima, comparisons, and sums
// over a number of row tiles.
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

/// An integer, written as the expressions of a manifest are (Target/SizeExpr.h)
/// and with one operator more: `["sum", NAME, COUNT, BODY]` adds the values of
/// BODY for NAME from 0 to below COUNT, nothing if COUNT is below 1.
///
/// Every value is kept as a polynomial, so that equal terms cancel, and what is
/// known is computed: a symbol is a size, and so not negative, unless its name
/// is that of a captured number (c0, c1, ...).
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
  /// The quotient where `divisor`, which is not zero, is one product that
  /// divides every term of `value`.
  static std::optional<CountExpr> divideExactly(const CountExpr &value,
                                                const CountExpr &divisor);
  static CountExpr minimum(const CountExpr &lhs, const CountExpr &rhs);
  static CountExpr maximum(const CountExpr &lhs, const CountExpr &rhs);
  /// 1 where `value` >= 0, else 0.
  static CountExpr isNonNegative(const CountExpr &value);
  /// The sum of `body` over `index` from 0 to below `count`, which must not be
  /// negative; closed for the terms that are affine in `index`.
  static CountExpr sum(llvm::StringRef index, const CountExpr &count,
                       const CountExpr &body);

  /// Reads an expression, whose symbols have the values that `symbols` gives;
  /// nothing if it gives none for one of them.
  static std::optional<CountExpr>
  parse(const llvm::json::Value &value,
        llvm::function_ref<std::optional<CountExpr>(llvm::StringRef)> symbols);
  static std::optional<CountExpr>
  parse(mlir::Attribute value,
        llvm::function_ref<std::optional<CountExpr>(llvm::StringRef)> symbols);

  /// Whether its numbers became too large to be computed with; it has no
  /// meaning then.
  bool isTooLarge() const { return tooLarge; }
  std::optional<int64_t> constant() const;
  llvm::json::Value toJSON() const;
  /// Integers, strings and arrays for those of JSON.
  mlir::Attribute toAttribute(mlir::MLIRContext *context) const;
  /// What toAttribute made, as a person writes it: `floordiv(n * n + n, 2)`.
  static std::string getText(mlir::Attribute value);
  /// About how many characters it takes.
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
  /// What is multiplied, sorted: symbols, and other expressions as JSON.
  using Monomial = std::vector<std::string>;

  static CountExpr atom(const llvm::json::Value &value);
  static CountExpr extreme(llvm::StringRef op, const CountExpr &lhs,
                           const CountExpr &rhs);
  void add(const Monomial &monomial, int64_t halvesMore);
  /// Whether it cannot be negative, as far as signs tell.
  bool cannotBeNegative() const;
  /// Whether it is a sum of whole multiples.
  bool isWhole() const;
  /// Whether it is even whatever the values are.
  bool isAlwaysEven() const;
  llvm::json::Value linearToJSON(int64_t unit) const;

  /// Coefficients, in halves: n (n - 1) / 2 is whole though its terms are not.
  std::map<Monomial, int64_t> halves;
  bool tooLarge = false;
};

} // namespace stof

#endif // STOF_SIZE_COUNTEXPR_H

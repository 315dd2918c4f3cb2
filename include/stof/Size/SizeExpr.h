//===----------------------------------------------------------------------===//
// Integers as expressions of sizes that are known at run time: what a manifest,
// a census and an error message write.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_SIZEEXPR_H
#define STOF_SIZE_SIZEEXPR_H

#include "stof/Support/SizeOperator.h"

#include "mlir/IR/Attributes.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <optional>
#include <string>

namespace stof {

/// A constant, a symbol, an operator on two expressions, or a sum. An immutable
/// value; copies share their nodes.
///
/// A symbol is a size, hence nonnegative, unless it names a captured number
/// (c0, c1, ...).
///
/// | | JSON, and attributes of the same form | text |
/// |-|---------------------------------------|------|
/// | constant | `64` | `64` |
/// | symbol | `"s0"` | `s0` |
/// | operator (Support/SizeOperator.h) | `["*", ["ceildiv", "s0", 64], 4]` |
/// `ceildiv(s0, 64) * 4` | | sum of BODY over 0 <= NAME < COUNT | `["sum",
/// NAME, COUNT, BODY]` | `sum(NAME < COUNT: BODY)` |
///
/// Sums are for counts, which no run evaluates: a manifest has none.
class SizeExpr {
public:
  using Operator = SizeOperator;

  SizeExpr(int64_t value = 0);
  static SizeExpr symbol(llvm::StringRef name);
  /// `lhs op rhs`, folded: constants are computed, and the constant of a
  /// commutative operator is its right operand.
  static SizeExpr get(Operator op, const SizeExpr &lhs, const SizeExpr &rhs);
  /// `lhs op rhs` as written.
  static SizeExpr create(Operator op, const SizeExpr &lhs, const SizeExpr &rhs);
  static SizeExpr sum(llvm::StringRef index, const SizeExpr &count,
                      const SizeExpr &body);

  /// Logic on 1 and 0.
  static SizeExpr logicalNot(const SizeExpr &value) {
    return get(Operator::Equal, value, 0);
  }
  static SizeExpr logicalOr(const SizeExpr &lhs, const SizeExpr &rhs) {
    return get(Operator::Maximum, lhs, rhs);
  }
  static SizeExpr logicalXor(const SizeExpr &lhs, const SizeExpr &rhs) {
    return logicalNot(get(Operator::Equal, lhs, rhs));
  }

  std::optional<int64_t> constant() const;
  /// The name if this is a symbol.
  std::optional<llvm::StringRef> getSymbol() const;
  std::optional<Operator> getOperator() const;
  /// The index if this is a sum: it ranges over the values below the left
  /// operand in the right one.
  std::optional<llvm::StringRef> getSumIndex() const;
  /// The operands of an operator or a sum.
  const SizeExpr &lhs() const;
  const SizeExpr &rhs() const;

  /// Appends the operands of a nest of `op`, or the expression itself.
  void flatten(Operator op, llvm::SmallVectorImpl<SizeExpr> &operands) const;
  /// Calls `visit` with each symbol, as often as it occurs; the index of a sum
  /// is not a symbol.
  void forEachSymbol(llvm::function_ref<void(llvm::StringRef)> visit) const;
  /// Whether the signs of its parts prove it nonnegative.
  bool cannotBeNegative() const;

  /// Reads what `toJSON` or `toAttribute` writes; none if `value` is not an
  /// expression.
  static std::optional<SizeExpr> parse(const llvm::json::Value &value);
  static std::optional<SizeExpr> parse(mlir::Attribute value);
  llvm::json::Value toJSON() const;
  /// JSON as integer, string and array attributes.
  mlir::Attribute toAttribute(mlir::MLIRContext *context) const;
  /// The infix form.
  std::string print() const;
  /// JSON as text. Equal expressions have the same, and it orders others.
  const std::string &getKey() const;

  friend bool operator==(const SizeExpr &lhs, const SizeExpr &rhs) {
    return lhs.getKey() == rhs.getKey();
  }
  friend bool operator!=(const SizeExpr &lhs, const SizeExpr &rhs) {
    return !(lhs == rhs);
  }
  friend bool operator<(const SizeExpr &lhs, const SizeExpr &rhs) {
    return lhs.getKey() < rhs.getKey();
  }

private:
  struct Node;
  explicit SizeExpr(std::shared_ptr<const Node> node) : node(std::move(node)) {}

  std::shared_ptr<const Node> node;
};

inline SizeExpr operator+(const SizeExpr &lhs, const SizeExpr &rhs) {
  return SizeExpr::get(SizeOperator::Add, lhs, rhs);
}
inline SizeExpr operator*(const SizeExpr &lhs, const SizeExpr &rhs) {
  return SizeExpr::get(SizeOperator::Multiply, lhs, rhs);
}

} // namespace stof

#endif // STOF_SIZE_SIZEEXPR_H

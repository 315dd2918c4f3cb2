//===----------------------------------------------------------------------===//
// Sizes in a package: integer expressions in the sizes of inputs.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_SIZEEXPR_H
#define STOF_TARGET_SIZEEXPR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace stof {

/// An expression of the manifest: an integer, the name of a symbol, or an
/// operator and two expressions. Comparisons yield 1 or 0, the only operands of
/// logic. Expressions are folded when built; symbols are sizes and thus
/// non-negative.
class SizeExpr {
public:
  enum class Operator {
    add,
    subtract,
    multiply,
    floorDivide,
    ceilDivide,
    modulo,
    minimum,
    maximum,
    equal,
    lessOrEqual,
    both,
  };

  SizeExpr(int64_t value = 0) : json(value) {}
  static SizeExpr symbol(llvm::StringRef name);
  static SizeExpr get(Operator op, const SizeExpr &lhs, const SizeExpr &rhs);

  std::optional<int64_t> constant() const { return json.getAsInteger(); }
  const llvm::json::Value &toJSON() const { return json; }
  /// The left (0) or right (1) operand if the operator is `op`.
  std::optional<SizeExpr> operand(Operator op, unsigned index) const;

  friend bool operator==(const SizeExpr &lhs, const SizeExpr &rhs) {
    return lhs.json == rhs.json;
  }

private:
  explicit SizeExpr(llvm::json::Value json) : json(std::move(json)) {}
  llvm::json::Value json;
};

inline SizeExpr operator+(const SizeExpr &lhs, const SizeExpr &rhs) {
  return SizeExpr::get(SizeExpr::Operator::add, lhs, rhs);
}
inline SizeExpr operator*(const SizeExpr &lhs, const SizeExpr &rhs) {
  return SizeExpr::get(SizeExpr::Operator::multiply, lhs, rhs);
}

} // namespace stof

#endif // STOF_TARGET_SIZEEXPR_H

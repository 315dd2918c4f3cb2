//===----------------------------------------------------------------------===//
// Integer expressions of a manifest. Sizes, offsets and grids are written in
// the symbols of the function, so that one package serves every length.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_EXPRESSION_H
#define STOF_RUNTIME_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stof::runtime {

/// An integer, a symbol's name, or `[operator, expression, expression]` with
/// one of `+ - * floordiv ceildiv mod min max == <= and`.
///
/// Values are 64-bit and signed; a result that does not fit is an error, and so
/// is a divisor below 1. Comparisons yield 0 or 1. `and` yields 1 where both
/// sides are nonzero and leaves its right side alone where the left is zero, so
/// the left can guard a division on the right.
///
/// Example: `["ceildiv", "s0", 64]` is the number of 64-wide tiles of `s0`.
class Expression {
public:
  Expression() : Expression(0) {}
  explicit Expression(int64_t constant);

  /// Reads `value`; a name that is not among `symbols` is an error.
  static llvm::Expected<Expression> parse(const llvm::json::Value &value,
                                          llvm::ArrayRef<std::string> symbols);

  /// The value where symbol i is `symbols[i]`.
  llvm::Expected<int64_t> evaluate(llvm::ArrayRef<int64_t> symbols) const;

  /// Both sides, if this expression says that they are equal and they have
  /// values.
  std::optional<std::pair<int64_t, int64_t>>
  evaluateEquation(llvm::ArrayRef<int64_t> symbols) const;

  /// The symbol that this expression is, if it is nothing more.
  std::optional<unsigned> getSymbol() const;

  bool usesSymbols() const;

  /// The expression as messages print it: JSON without the quotes.
  const std::string &getText() const { return text; }

private:
  enum class Kind : uint8_t { Constant, Symbol, Binary };
  enum class Operator : uint8_t {
    Add,
    Subtract,
    Multiply,
    FloorDivide,
    CeilDivide,
    Modulo,
    Minimum,
    Maximum,
    Equal,
    LessOrEqual,
    And
  };
  struct Node {
    Kind kind;
    Operator op;
    int64_t value; ///< The constant, or the symbol's position.
    unsigned left, right;
  };

  static std::optional<Operator> parseOperator(llvm::StringRef name);
  llvm::Expected<unsigned> addNode(const llvm::json::Value &value,
                                   llvm::ArrayRef<std::string> symbols);
  llvm::Expected<int64_t> evaluateNode(unsigned node,
                                       llvm::ArrayRef<int64_t> symbols) const;
  llvm::Expected<int64_t> apply(Operator op, int64_t left, int64_t right) const;

  /// Operands come before the node that uses them; the last node is the root.
  std::vector<Node> nodes;
  std::string text;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_EXPRESSION_H

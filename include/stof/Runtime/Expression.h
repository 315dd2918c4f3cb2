//===----------------------------------------------------------------------===//
// Integer expressions of a manifest. Sizes, offsets and grids are expressions
// in the symbols of the function: one package serves all lengths.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_EXPRESSION_H
#define STOF_RUNTIME_EXPRESSION_H

#include "stof/Support/SizeOperator.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stof::runtime {

/// An integer, a symbol's name, or `[operator, expression, expression]` with
/// one of the operators in Support/SizeOperator.h.
///
/// Overflow and a divisor below 1 are errors. `and` does not evaluate its right
/// side if the left is zero: it can guard a division.
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

  /// Both sides of an equation, if this is one and they can be evaluated.
  std::optional<std::pair<int64_t, int64_t>>
  evaluateEquation(llvm::ArrayRef<int64_t> symbols) const;

  /// The index of the symbol if this expression is a plain symbol.
  std::optional<unsigned> getSymbol() const;

  bool usesSymbols() const;

  /// The expression as messages print it: JSON without the quotes.
  const std::string &getText() const { return text; }

private:
  enum class Kind : uint8_t { Constant, Symbol, Binary };
  struct Node {
    Kind kind;
    SizeOperator op;
    int64_t value; ///< The constant, or the index of the symbol.
    unsigned left, right;
  };

  llvm::Expected<unsigned> addNode(const llvm::json::Value &value,
                                   llvm::ArrayRef<std::string> symbols);
  llvm::Expected<int64_t> evaluateNode(unsigned node,
                                       llvm::ArrayRef<int64_t> symbols) const;
  llvm::Expected<int64_t> apply(SizeOperator op, int64_t left,
                                int64_t right) const;

  /// In topological order, operands first; the last node is the root.
  std::vector<Node> nodes;
  std::string text;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_EXPRESSION_H

//===----------------------------------------------------------------------===//
// Parsing and evaluation of the expressions of a manifest. Recursion is safe:
// the JSON parser limits the nesting depth of a document.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Expression.h"

#include "JsonReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace stof::runtime;

Expression::Expression(int64_t constant)
    : nodes{{Kind::Constant, Operator::Add, constant, 0, 0}},
      text(std::to_string(constant)) {}

std::optional<Expression::Operator> Expression::parseOperator(StringRef name) {
  return StringSwitch<std::optional<Operator>>(name)
      .Case("+", Operator::Add)
      .Case("-", Operator::Subtract)
      .Case("*", Operator::Multiply)
      .Case("floordiv", Operator::FloorDivide)
      .Case("ceildiv", Operator::CeilDivide)
      .Case("mod", Operator::Modulo)
      .Case("min", Operator::Minimum)
      .Case("max", Operator::Maximum)
      .Case("==", Operator::Equal)
      .Case("<=", Operator::LessOrEqual)
      .Case("and", Operator::And)
      .Default(std::nullopt);
}

Expected<unsigned> Expression::addNode(const json::Value &value,
                                       ArrayRef<std::string> symbols) {
  auto add = [&](Node node) -> unsigned {
    nodes.push_back(node);
    return nodes.size() - 1;
  };
  if (std::optional<int64_t> constant = value.getAsInteger())
    return add({Kind::Constant, Operator::Add, *constant, 0, 0});
  if (std::optional<StringRef> name = value.getAsString()) {
    const auto *symbol = llvm::find(symbols, *name);
    if (symbol == symbols.end())
      return createStringError("expects one of the function's symbols, but "
                               "got '" +
                               *name + "'");
    return add({Kind::Symbol, Operator::Add, symbol - symbols.begin(), 0, 0});
  }

  constexpr size_t elements = 3;
  const json::Array *array = value.getAsArray();
  std::optional<StringRef> name;
  if (array && array->size() == elements)
    name = array->front().getAsString();
  if (!name)
    return createStringError("expects an integer, a symbol or [operator, left, "
                             "right], but got " +
                             quoteJson(value));
  std::optional<Operator> op = parseOperator(*name);
  if (!op)
    return createStringError("expects an operator among + - * floordiv ceildiv "
                             "mod min max == <= and, but got '" +
                             *name + "'");
  Expected<unsigned> left = addNode((*array)[1], symbols);
  if (!left)
    return left;
  Expected<unsigned> right = addNode((*array)[2], symbols);
  if (!right)
    return right;
  return add({Kind::Binary, *op, 0, *left, *right});
}

Expected<Expression> Expression::parse(const json::Value &value,
                                       ArrayRef<std::string> symbols) {
  Expression result;
  result.nodes.clear();
  result.text = quoteJson(value);
  llvm::erase(result.text, '"');
  if (Expected<unsigned> root = result.addNode(value, symbols); !root)
    return root.takeError();
  return result;
}

Expected<int64_t> Expression::apply(Operator op, int64_t left,
                                    int64_t right) const {
  int64_t result;
  auto fit = [&](bool overflow) -> Expected<int64_t> {
    if (overflow)
      return createStringError("expects " + text +
                               " to fit 64 bits, but it overflows");
    return result;
  };
  switch (op) {
  case Operator::Add:
    return fit(AddOverflow(left, right, result));
  case Operator::Subtract:
    return fit(SubOverflow(left, right, result));
  case Operator::Multiply:
    return fit(MulOverflow(left, right, result));
  case Operator::FloorDivide:
  case Operator::CeilDivide:
  case Operator::Modulo: {
    if (right < 1)
      return createStringError("expects a divisor of at least 1 in " + text +
                               ", but got " + Twine(right));
    int64_t quotient = left / right, remainder = left % right;
    if (op == Operator::CeilDivide)
      return quotient + (remainder > 0);
    if (op == Operator::FloorDivide)
      return quotient - (remainder < 0);
    return remainder < 0 ? remainder + right : remainder;
  }
  case Operator::Minimum:
    return std::min(left, right);
  case Operator::Maximum:
    return std::max(left, right);
  case Operator::Equal:
    return left == right;
  case Operator::LessOrEqual:
    return left <= right;
  case Operator::And:
    return left && right;
  }
  llvm_unreachable("every operator has a case");
}

Expected<int64_t> Expression::evaluateNode(unsigned index,
                                           ArrayRef<int64_t> symbols) const {
  const Node &node = nodes[index];
  if (node.kind == Kind::Constant)
    return node.value;
  if (node.kind == Kind::Symbol)
    return symbols[node.value];
  Expected<int64_t> left = evaluateNode(node.left, symbols);
  if (!left || (node.op == Operator::And && *left == 0))
    return left;
  Expected<int64_t> right = evaluateNode(node.right, symbols);
  if (!right)
    return right;
  return apply(node.op, *left, *right);
}

Expected<int64_t> Expression::evaluate(ArrayRef<int64_t> symbols) const {
  return evaluateNode(nodes.size() - 1, symbols);
}

std::optional<std::pair<int64_t, int64_t>>
Expression::evaluateEquation(ArrayRef<int64_t> symbols) const {
  const Node &root = nodes.back();
  if (root.kind != Kind::Binary || root.op != Operator::Equal)
    return std::nullopt;
  std::pair<int64_t, int64_t> sides;
  for (auto [node, side] : {std::pair(root.left, &sides.first),
                            std::pair(root.right, &sides.second)}) {
    Expected<int64_t> value = evaluateNode(node, symbols);
    if (!value) {
      consumeError(value.takeError());
      return std::nullopt;
    }
    *side = *value;
  }
  return sides;
}

std::optional<unsigned> Expression::getSymbol() const {
  const Node &root = nodes.back();
  if (root.kind != Kind::Symbol)
    return std::nullopt;
  return root.value;
}

bool Expression::usesSymbols() const {
  return llvm::any_of(
      nodes, [](const Node &node) { return node.kind == Kind::Symbol; });
}

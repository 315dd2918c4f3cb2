//===----------------------------------------------------------------------===//
// Parsing and evaluation of the expressions of a manifest. Recursion is safe:
// the JSON parser limits the nesting depth of a document.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Expression.h"

#include "JsonReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

Expression::Expression(int64_t constant)
    : nodes{{Kind::Constant, SizeOperator::Add, constant, 0, 0}},
      text(std::to_string(constant)) {}

Expected<unsigned> Expression::addNode(const json::Value &value,
                                       ArrayRef<std::string> symbols) {
  auto add = [&](Node node) -> unsigned {
    nodes.push_back(node);
    return nodes.size() - 1;
  };
  if (std::optional<int64_t> constant = value.getAsInteger())
    return add({Kind::Constant, SizeOperator::Add, *constant, 0, 0});
  if (std::optional<StringRef> name = value.getAsString()) {
    const auto *symbol = llvm::find(symbols, *name);
    if (symbol == symbols.end())
      return createStringError("expects one of the function's symbols, but "
                               "got '" +
                               *name + "'");
    return add(
        {Kind::Symbol, SizeOperator::Add, symbol - symbols.begin(), 0, 0});
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
  std::optional<SizeOperator> op = parseSizeOperator(*name);
  if (!op)
    return createStringError("expects an operator among " +
                             join(std::begin(sizeOperatorSpellings),
                                  std::end(sizeOperatorSpellings), " ") +
                             ", but got '" + *name + "'");
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

Expected<int64_t> Expression::apply(SizeOperator op, int64_t left,
                                    int64_t right) const {
  if (std::optional<int64_t> value = stof::evaluate(op, left, right))
    return *value;
  if (isDivision(op))
    return createStringError("expects a divisor of at least 1 in " + text +
                             ", but got " + Twine(right));
  return createStringError("expects " + text +
                           " to fit 64 bits, but it overflows");
}

Expected<int64_t> Expression::evaluateNode(unsigned index,
                                           ArrayRef<int64_t> symbols) const {
  const Node &node = nodes[index];
  if (node.kind == Kind::Constant)
    return node.value;
  if (node.kind == Kind::Symbol)
    return symbols[node.value];
  assert(node.left < index && node.right < index && "operands come first");
  Expected<int64_t> left = evaluateNode(node.left, symbols);
  if (!left || (node.op == SizeOperator::And && *left == 0))
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
  if (root.kind != Kind::Binary || root.op != SizeOperator::Equal)
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

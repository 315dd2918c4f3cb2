//===----------------------------------------------------------------------===//
// Construction, folding, parsing and printing of size expressions.
//===----------------------------------------------------------------------===//

#include "stof/Size/SizeExpr.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace stof;
using Operator = SizeOperator;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

struct SizeExpr::Node {
  enum class Kind { Constant, Symbol, Operator, Sum };

  Kind kind;
  std::string key;
  /// Of a constant.
  int64_t value = 0;
  /// Of an operator.
  SizeOperator op = SizeOperator::Add;
  /// Of a symbol, or of the index of a sum.
  std::string name = {};
  /// The sides of an operator, or the count and the body of a sum.
  std::vector<SizeExpr> operands = {};
};

static std::string quote(StringRef text) {
  std::string quoted;
  llvm::raw_string_ostream(quoted) << json::Value(text);
  return quoted;
}

SizeExpr::SizeExpr(int64_t value)
    : node(std::make_shared<const Node>(
          Node{Node::Kind::Constant, std::to_string(value), value})) {}

SizeExpr SizeExpr::symbol(StringRef name) {
  return SizeExpr(std::make_shared<const Node>(
      Node{Node::Kind::Symbol, quote(name), 0, Operator::Add, name.str(), {}}));
}

SizeExpr SizeExpr::create(Operator op, const SizeExpr &lhs,
                          const SizeExpr &rhs) {
  std::string key =
      "[" + quote(spell(op)) + "," + lhs.getKey() + "," + rhs.getKey() + "]";
  return SizeExpr(std::make_shared<const Node>(
      Node{Node::Kind::Operator, std::move(key), 0, op, {}, {lhs, rhs}}));
}

SizeExpr SizeExpr::sum(StringRef index, const SizeExpr &count,
                       const SizeExpr &body) {
  std::string key = "[\"sum\"," + quote(index) + "," + count.getKey() + "," +
                    body.getKey() + "]";
  return SizeExpr(std::make_shared<const Node>(Node{Node::Kind::Sum,
                                                    std::move(key),
                                                    0,
                                                    Operator::Add,
                                                    index.str(),
                                                    {count, body}}));
}

const std::string &SizeExpr::getKey() const { return node->key; }

std::optional<int64_t> SizeExpr::constant() const {
  return node->kind == Node::Kind::Constant ? std::optional(node->value)
                                            : std::nullopt;
}

std::optional<StringRef> SizeExpr::getSymbol() const {
  return node->kind == Node::Kind::Symbol ? std::optional<StringRef>(node->name)
                                          : std::nullopt;
}

std::optional<Operator> SizeExpr::getOperator() const {
  return node->kind == Node::Kind::Operator ? std::optional(node->op)
                                            : std::nullopt;
}

std::optional<StringRef> SizeExpr::getSumIndex() const {
  return node->kind == Node::Kind::Sum ? std::optional<StringRef>(node->name)
                                       : std::nullopt;
}

const SizeExpr &SizeExpr::lhs() const { return node->operands[0]; }

const SizeExpr &SizeExpr::rhs() const { return node->operands[1]; }

void SizeExpr::forEachSymbol(llvm::function_ref<void(StringRef)> visit) const {
  if (std::optional<StringRef> name = getSymbol())
    return visit(*name);
  if (std::optional<StringRef> index = getSumIndex()) {
    lhs().forEachSymbol(visit);
    return rhs().forEachSymbol([&](StringRef name) {
      if (name != *index)
        visit(name);
    });
  }
  for (const SizeExpr &operand : node->operands)
    operand.forEachSymbol(visit);
}

bool SizeExpr::cannotBeNegative() const {
  switch (node->kind) {
  case Node::Kind::Constant:
    return node->value >= 0;
  case Node::Kind::Symbol: {
    StringRef name = node->name;
    return !(name.consume_front("c") && llvm::all_of(name, llvm::isDigit));
  }
  case Node::Kind::Sum:
    return rhs().cannotBeNegative();
  case Node::Kind::Operator:
    break;
  }
  if (isPredicate(node->op) || node->op == Operator::Modulo)
    return true;
  if (node->op == Operator::Subtract)
    return false;
  bool left = lhs().cannotBeNegative(), right = rhs().cannotBeNegative();
  return node->op == Operator::Maximum ? left || right : left && right;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

/// The operands of `expr` if it is a multiplication by a constant.
static std::optional<std::pair<SizeExpr, int64_t>>
matchMultiple(const SizeExpr &expr) {
  if (expr.getOperator() != Operator::Multiply || !expr.rhs().constant())
    return std::nullopt;
  return std::pair(expr.lhs(), *expr.rhs().constant());
}

static std::optional<SizeExpr> foldProduct(const SizeExpr &lhs, int64_t rhs) {
  if (rhs == 0)
    return SizeExpr(0);
  if (rhs == 1)
    return lhs;
  auto multiple = matchMultiple(lhs);
  std::optional<int64_t> factor =
      multiple ? llvm::checkedMul(multiple->second, rhs) : std::nullopt;
  if (!factor)
    return std::nullopt;
  return multiple->first * *factor;
}

/// Folds a quotient that is rounded down or up.
static std::optional<SizeExpr> foldQuotient(Operator op, const SizeExpr &lhs,
                                            int64_t rhs) {
  if (rhs == 1)
    return lhs;
  auto multiple = matchMultiple(lhs);
  if (!multiple || rhs <= 0 || multiple->second <= 0)
    return std::nullopt;
  if (multiple->second % rhs == 0)
    return multiple->first * (multiple->second / rhs);
  if (rhs % multiple->second == 0)
    return SizeExpr::get(op, multiple->first, rhs / multiple->second);
  return std::nullopt;
}

/// Folds `lhs op rhs` with a constant right side.
static std::optional<SizeExpr> foldRight(Operator op, const SizeExpr &lhs,
                                         int64_t rhs) {
  switch (op) {
  case Operator::Add:
  case Operator::Subtract:
    return rhs == 0 ? std::optional(lhs) : std::nullopt;
  case Operator::Multiply:
    return foldProduct(lhs, rhs);
  case Operator::FloorDivide:
  case Operator::CeilDivide:
    return foldQuotient(op, lhs, rhs);
  case Operator::Maximum:
    return rhs <= 0 && lhs.cannotBeNegative() ? std::optional(lhs)
                                              : std::nullopt;
  case Operator::Equal:
  case Operator::LessOrEqual:
    return rhs < 0 && lhs.cannotBeNegative() ? std::optional(SizeExpr(0))
                                             : std::nullopt;
  case Operator::And:
    return rhs == 0 ? SizeExpr(0) : lhs;
  case Operator::Modulo:
  case Operator::Minimum:
    return std::nullopt;
  }
  llvm_unreachable("every operator has a case");
}

/// Folds `expr op expr`.
static std::optional<SizeExpr> foldSame(Operator op, const SizeExpr &expr) {
  switch (op) {
  case Operator::Minimum:
  case Operator::Maximum:
    return expr;
  case Operator::Equal:
  case Operator::LessOrEqual:
    return SizeExpr(1);
  case Operator::Subtract:
    return SizeExpr(0);
  default:
    return std::nullopt;
  }
}

SizeExpr SizeExpr::get(Operator op, const SizeExpr &lhs, const SizeExpr &rhs) {
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right)
    if (std::optional<int64_t> value = evaluate(op, *left, *right))
      return *value;
  if (left && !right && isCommutative(op))
    return get(op, rhs, lhs);

  std::optional<SizeExpr> folded;
  if (right)
    folded = foldRight(op, lhs, *right);
  else if (left && *left <= 0 && op == Operator::LessOrEqual &&
           rhs.cannotBeNegative())
    folded = 1;
  if (!folded && lhs == rhs)
    folded = foldSame(op, lhs);
  return folded ? *folded : create(op, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// JSON and attributes
//===----------------------------------------------------------------------===//

std::optional<SizeExpr> SizeExpr::parse(const json::Value &value) {
  if (std::optional<int64_t> constant = value.getAsInteger())
    return SizeExpr(*constant);
  if (std::optional<StringRef> name = value.getAsString())
    return symbol(*name);
  const json::Array *array = value.getAsArray();
  if (!array || array->size() < 3)
    return std::nullopt;
  bool isSum = array->front() == "sum" && array->size() == 4;
  std::optional<StringRef> index = (*array)[1].getAsString();
  std::optional<Operator> op =
      parseSizeOperator(array->front().getAsString().value_or(""));
  if (isSum ? !index : !op || array->size() != 3)
    return std::nullopt;
  std::optional<SizeExpr> lhs = parse((*array)[isSum ? 2 : 1]);
  std::optional<SizeExpr> rhs = parse((*array)[isSum ? 3 : 2]);
  if (!lhs || !rhs)
    return std::nullopt;
  return isSum ? sum(*index, *lhs, *rhs) : create(*op, *lhs, *rhs);
}

json::Value SizeExpr::toJSON() const {
  switch (node->kind) {
  case Node::Kind::Constant:
    return node->value;
  case Node::Kind::Symbol:
    return node->name;
  case Node::Kind::Operator:
    return json::Array{spell(node->op), lhs().toJSON(), rhs().toJSON()};
  case Node::Kind::Sum:
    return json::Array{"sum", node->name, lhs().toJSON(), rhs().toJSON()};
  }
  llvm_unreachable("every kind has a case");
}

static json::Value toJSONValue(mlir::Attribute value) {
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(value))
    return number.getInt();
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value))
    return text.getValue();
  json::Array array;
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(value))
    for (mlir::Attribute element : list)
      array.push_back(toJSONValue(element));
  return array;
}

static mlir::Attribute toAttributeValue(mlir::Builder &builder,
                                        const json::Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return builder.getI64IntegerAttr(*number);
  if (std::optional<StringRef> text = value.getAsString())
    return builder.getStringAttr(*text);
  return builder.getArrayAttr(
      llvm::map_to_vector(*value.getAsArray(), [&](const json::Value &part) {
        return toAttributeValue(builder, part);
      }));
}

std::optional<SizeExpr> SizeExpr::parse(mlir::Attribute value) {
  return parse(toJSONValue(value));
}

mlir::Attribute SizeExpr::toAttribute(mlir::MLIRContext *context) const {
  mlir::Builder builder(context);
  return toAttributeValue(builder, toJSON());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The precedence of an infix operator; 0 of one that is written as a function.
static int getPrecedence(Operator op) {
  switch (op) {
  case Operator::Multiply:
    return 3;
  case Operator::Add:
  case Operator::Subtract:
    return 2;
  case Operator::Equal:
  case Operator::LessOrEqual:
    return 1;
  default:
    return 0;
  }
}

/// Prints `expr`, in parentheses if its precedence is below `strength`.
static std::string print(const SizeExpr &expr, int strength = 0) {
  if (std::optional<StringRef> name = expr.getSymbol())
    return name->str();
  if (std::optional<StringRef> index = expr.getSumIndex())
    return "sum(" + index->str() + " < " + print(expr.lhs()) + ": " +
           print(expr.rhs()) + ")";
  std::optional<Operator> op = expr.getOperator();
  if (!op)
    return std::to_string(*expr.constant());
  if (int own = getPrecedence(*op)) {
    // Comparisons are no chains.
    std::string text = print(expr.lhs(), isPredicate(*op) ? own + 1 : own) +
                       " " + spell(*op).str() + " " +
                       print(expr.rhs(), own + 1);
    return own < strength ? "(" + text + ")" : text;
  }
  llvm::SmallVector<SizeExpr> operands{expr.lhs(), expr.rhs()};
  if (*op == Operator::Minimum || *op == Operator::Maximum) {
    operands.clear();
    expr.flatten(*op, operands);
  }
  return spell(*op).str() + "(" +
         llvm::join(llvm::map_range(
                        operands,
                        [](const SizeExpr &operand) { return print(operand); }),
                    ", ") +
         ")";
}

void SizeExpr::flatten(Operator op,
                       llvm::SmallVectorImpl<SizeExpr> &operands) const {
  if (getOperator() != op)
    return operands.push_back(*this);
  lhs().flatten(op, operands);
  rhs().flatten(op, operands);
}

std::string SizeExpr::print() const { return ::print(*this); }

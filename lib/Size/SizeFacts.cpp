//===----------------------------------------------------------------------===//
// Equations between sizes: implication, substitution and signs.
//===----------------------------------------------------------------------===//

#include "stof/Size/SizeFacts.h"

#include "CountAtoms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stof;
namespace json = llvm::json;

static std::optional<CountExpr> itself(StringRef name) {
  return CountExpr::symbol(name);
}

std::string SizeFacts::nameOf(unsigned argument, int64_t dim) {
  return ("arg" + Twine(argument) + " dimension " + Twine(dim)).str();
}

/// The argument and the dimension of a symbol, if it is an input size.
static std::optional<std::pair<unsigned, unsigned>> parseName(StringRef name) {
  unsigned argument, dim;
  if (name.consume_front("arg") && !name.consumeInteger(10, argument) &&
      name.consume_front(" dimension ") && !name.getAsInteger(10, dim))
    return std::pair(argument, dim);
  return std::nullopt;
}

static void collectSymbols(const json::Value &value,
                           std::vector<std::string> &names) {
  if (std::optional<StringRef> name = value.getAsString())
    names.push_back(name->str());
  if (const json::Array *array = value.getAsArray())
    for (const json::Value &part : llvm::drop_begin(*array))
      collectSymbols(part, names);
}

static std::vector<std::string> symbolsOf(const CountExpr &expr) {
  std::vector<std::string> names;
  collectSymbols(expr.toJSON(), names);
  return names;
}

CountExpr SizeFacts::substitute(const CountExpr &expr, StringRef name,
                                const CountExpr &value) {
  return *CountExpr::parse(expr.toJSON(), [&](StringRef other) {
    return std::optional(other == name ? value : CountExpr::symbol(other));
  });
}

/// `expr` as `factor * name + rest`, if it has this form.
static std::optional<std::pair<int64_t, CountExpr>>
takeApart(const CountExpr &expr, StringRef name) {
  CountExpr rest = SizeFacts::substitute(expr, name, 0);
  std::optional<int64_t> factor =
      (SizeFacts::substitute(expr, name, 1) - rest).constant();
  if (!factor || !(rest + CountExpr::symbol(name) * *factor == expr))
    return std::nullopt;
  return std::pair(*factor, rest);
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

std::vector<std::string> SizeFacts::listInputs(const CountExpr &expr) const {
  std::vector<std::string> names = symbolsOf(expr);
  llvm::erase_if(names, [](StringRef name) { return !parseName(name); });
  llvm::sort(names, [](StringRef lhs, StringRef rhs) {
    return parseName(lhs) > parseName(rhs);
  });
  names.erase(llvm::unique(names), names.end());
  return names;
}

bool SizeFacts::isOfInputs(const CountExpr &expr) const {
  return !expr.isTooLarge() &&
         llvm::all_of(symbolsOf(expr),
                      [](StringRef name) { return parseName(name); });
}

CountExpr SizeFacts::simplify(CountExpr expr) const {
  // A replacement contains determined symbols of later rules only.
  for (const auto &[name, value] : rules)
    if (llvm::is_contained(symbolsOf(expr), name))
      expr = substitute(expr, name, value);
  return expr;
}

/// Whether `expr` is an integer multiple of `base`. The multiple is found by
/// evaluating both with a distinct number for each symbol.
static bool isMultiple(const CountExpr &expr, const CountExpr &base) {
  if (expr == base || expr == base * -1)
    return true;
  auto valueOf = [&](CountExpr value) {
    int64_t number = 2;
    for (const std::string &name : symbolsOf(expr + base))
      value = SizeFacts::substitute(value, name, ++number);
    return value.constant();
  };
  std::optional<int64_t> whole = valueOf(expr), part = valueOf(base);
  return whole && part && *part != 0 && *whole % *part == 0 &&
         base * (*whole / *part) == expr;
}

bool SizeFacts::areEqual(const CountExpr &lhs, const CountExpr &rhs) const {
  if (lhs == rhs)
    return !lhs.isTooLarge();
  CountExpr difference = simplify(lhs - rhs);
  return difference.constant() == 0 ||
         llvm::any_of(zeros, [&](const CountExpr &zero) {
           return isMultiple(difference, simplify(zero));
         });
}

SizeFacts::Equation SizeFacts::isolate(const CountExpr &lhs,
                                       const CountExpr &rhs) const {
  CountExpr difference = simplify(lhs - rhs);
  for (const std::string &name : listInputs(difference))
    if (auto linear = takeApart(difference, name))
      if (std::abs(linear->first) == 1)
        return {CountExpr::symbol(name), linear->second * -linear->first};
  return {lhs, rhs};
}

void SizeFacts::assume(const CountExpr &lhs, const CountExpr &rhs) {
  if (areEqual(lhs, rhs) || (lhs - rhs).isTooLarge())
    return;
  CountExpr difference = simplify(lhs - rhs);
  for (const std::string &name : listInputs(difference)) {
    auto linear = takeApart(difference, name);
    if (!linear || std::abs(linear->first) != 1)
      continue;
    rules.emplace_back(name, linear->second * -linear->first);
    return;
  }
  zeros.push_back(difference);
}

void SizeFacts::assumeCondition(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    assumeCondition(both.getLhs());
    assumeCondition(both.getRhs());
    return;
  }
  auto compared = condition.getDefiningOp<arith::CmpIOp>();
  if (!compared || compared.getPredicate() != arith::CmpIPredicate::eq)
    return;
  CountExpr lhs = valueOf(compared.getLhs()), rhs = valueOf(compared.getRhs());
  if (isOfInputs(lhs) && isOfInputs(rhs))
    assume(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

/// Replaces the first quotient by a constant, minimum or maximum in `value` by
/// the symbol `name`, and returns it.
static std::optional<json::Array> takeOperator(json::Value &value,
                                               StringRef name) {
  json::Array *array = value.getAsArray();
  if (!array)
    return std::nullopt;
  StringRef op = *array->front().getAsString();
  bool isQuotient = op == "floordiv" || op == "ceildiv";
  if (op == "min" || op == "max" ||
      (isQuotient && (*array)[2].getAsInteger())) {
    json::Array taken = *array;
    value = name;
    return taken;
  }
  for (json::Value &part : llvm::drop_begin(*array))
    if (auto taken = takeOperator(part, name))
      return taken;
  return std::nullopt;
}

/// Operators are replaced by bounds. A quotient q of n by c is (n - r) / c, or
/// (n + r) / c if it is rounded up, and 0 <= r < c. A minimum is at most each
/// operand, a maximum at least.
static bool cannotBeNegative(const CountExpr &expr, unsigned depth = 0) {
  constexpr unsigned mostOperators = 4;
  if (CountExpr::isNonNegative(expr).constant() == 1)
    return true;
  json::Value value = expr.toJSON();
  std::string name = "operator " + std::to_string(depth);
  std::optional<json::Array> taken = takeOperator(value, name);
  if (!taken || depth == mostOperators)
    return false;
  auto linear = takeApart(*CountExpr::parse(value, itself), name);
  if (!linear)
    return false;
  auto [factor, rest] = *linear;
  StringRef op = *(*taken)[0].getAsString();
  CountExpr lhs = *CountExpr::parse((*taken)[1], itself);
  CountExpr rhs = *CountExpr::parse((*taken)[2], itself);
  auto holdsFor = [&, factor = factor, rest = rest](const CountExpr &bound,
                                                    int64_t scale) {
    return cannotBeNegative(rest * scale + bound * factor, depth + 1);
  };
  if (op == "min" || op == "max") {
    bool isLeft = holdsFor(lhs, 1), isRight = holdsFor(rhs, 1);
    return (op == "min") == (factor > 0) ? isLeft && isRight
                                         : isLeft || isRight;
  }
  int64_t divisor = *rhs.constant();
  if (op == "floordiv" && factor > 0)
    lhs += 1 - divisor;
  if (op == "ceildiv" && factor < 0)
    lhs += divisor - 1;
  return holdsFor(lhs, divisor);
}

bool SizeFacts::isNonNegative(const CountExpr &expr) const {
  CountExpr simple = simplify(expr);
  return !simple.isTooLarge() && cannotBeNegative(simple);
}

//===----------------------------------------------------------------------===//
// Code and text
//===----------------------------------------------------------------------===//

static Value buildOperator(OpBuilder &builder, Location loc, StringRef op,
                           Value lhs, Value rhs) {
  if (op == "+")
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  if (op == "-")
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  if (op == "*")
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  if (op == "floordiv")
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  if (op == "ceildiv")
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  if (op == "mod")
    return arith::RemUIOp::create(builder, loc, lhs, rhs);
  if (op == "min")
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  if (op == "max")
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  Value holds =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, lhs, rhs);
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      holds);
}

static Value buildValue(OpBuilder &builder, Location loc, func::FuncOp function,
                        const json::Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return arith::ConstantIndexOp::create(builder, loc, *number);
  if (std::optional<StringRef> name = value.getAsString()) {
    auto [argument, dim] = *parseName(*name);
    return tensor::DimOp::create(builder, loc, function.getArgument(argument),
                                 dim);
  }
  const json::Array &array = *value.getAsArray();
  Value lhs = buildValue(builder, loc, function, array[1]);
  Value rhs = buildValue(builder, loc, function, array[2]);
  return buildOperator(builder, loc, *array[0].getAsString(), lhs, rhs);
}

Value SizeFacts::build(OpBuilder &builder, Location loc,
                       const CountExpr &expr) const {
  func::FuncOp of = function;
  return buildValue(builder, loc, of, expr.toJSON());
}

std::string SizeFacts::print(const CountExpr &expr) const {
  func::FuncOp of = function;
  return CountExpr::getText(expr.toAttribute(of.getContext()));
}

//===----------------------------------------------------------------------===//
// Equations between sizes: implication, substitution and signs.
//===----------------------------------------------------------------------===//

#include "stof/Size/SizeFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stof;
using Operator = SizeOperator;

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

static std::vector<std::string> symbolsOf(const CountExpr &expr) {
  std::vector<std::string> names;
  expr.toSizeExpr().forEachSymbol(
      [&](StringRef name) { names.push_back(name.str()); });
  return names;
}

CountExpr SizeFacts::substitute(const CountExpr &expr, StringRef name,
                                const CountExpr &value) {
  return *CountExpr::normalize(expr.toSizeExpr(), [&](StringRef other) {
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

/// `expr` with its first quotient by a constant, minimum or maximum replaced by
/// `symbol`. `taken` is set to what was replaced.
static SizeExpr takeOperator(const SizeExpr &expr, const SizeExpr &symbol,
                             std::optional<SizeExpr> &taken) {
  std::optional<Operator> op = expr.getOperator();
  if (!op || taken)
    return expr;
  bool isQuotient = op == Operator::FloorDivide || op == Operator::CeilDivide;
  if (op == Operator::Minimum || op == Operator::Maximum ||
      (isQuotient && expr.rhs().constant())) {
    taken = expr;
    return symbol;
  }
  SizeExpr lhs = takeOperator(expr.lhs(), symbol, taken);
  SizeExpr rhs = takeOperator(expr.rhs(), symbol, taken);
  return SizeExpr::create(*op, lhs, rhs);
}

/// Operators are replaced by bounds. A quotient q of n by c is (n - r) / c, or
/// (n + r) / c if it is rounded up, and 0 <= r < c. A minimum is at most each
/// operand, a maximum at least.
static bool cannotBeNegative(const CountExpr &expr, unsigned depth = 0) {
  constexpr unsigned mostOperators = 4;
  if (CountExpr::isNonNegative(expr).constant() == 1)
    return true;
  std::string name = "operator " + std::to_string(depth);
  std::optional<SizeExpr> taken;
  SizeExpr bounded =
      takeOperator(expr.toSizeExpr(), SizeExpr::symbol(name), taken);
  if (!taken || depth == mostOperators)
    return false;
  auto linear = takeApart(CountExpr::normalize(bounded), name);
  if (!linear)
    return false;
  auto [factor, rest] = *linear;
  Operator op = *taken->getOperator();
  CountExpr lhs = CountExpr::normalize(taken->lhs());
  CountExpr rhs = CountExpr::normalize(taken->rhs());
  auto holdsFor = [&, factor = factor, rest = rest](const CountExpr &bound,
                                                    int64_t scale) {
    return cannotBeNegative(rest * scale + bound * factor, depth + 1);
  };
  if (op == Operator::Minimum || op == Operator::Maximum) {
    bool isLeft = holdsFor(lhs, 1), isRight = holdsFor(rhs, 1);
    return (op == Operator::Minimum) == (factor > 0) ? isLeft && isRight
                                                     : isLeft || isRight;
  }
  int64_t divisor = *rhs.constant();
  if (op == Operator::FloorDivide && factor > 0)
    lhs += 1 - divisor;
  if (op == Operator::CeilDivide && factor < 0)
    lhs += divisor - 1;
  return holdsFor(lhs, divisor);
}

bool SizeFacts::isNonNegative(const CountExpr &expr) const {
  CountExpr simple = simplify(expr);
  return !simple.isTooLarge() && cannotBeNegative(simple);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static Value buildOperator(OpBuilder &builder, Location loc, Operator op,
                           Value lhs, Value rhs) {
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        holds);
  };
  switch (op) {
  case Operator::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case Operator::Subtract:
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  case Operator::Multiply:
  case Operator::And:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case Operator::FloorDivide:
    return arith::FloorDivSIOp::create(builder, loc, lhs, rhs);
  case Operator::CeilDivide:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  case Operator::Modulo:
    return arith::RemUIOp::create(builder, loc, lhs, rhs);
  case Operator::Minimum:
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  case Operator::Maximum:
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  case Operator::Equal:
    return compare(arith::CmpIPredicate::eq);
  case Operator::LessOrEqual:
    return compare(arith::CmpIPredicate::sle);
  }
  llvm_unreachable("every operator has a case");
}

static Value buildValue(OpBuilder &builder, Location loc, func::FuncOp function,
                        const SizeExpr &expr) {
  if (std::optional<int64_t> number = expr.constant())
    return arith::ConstantIndexOp::create(builder, loc, *number);
  if (std::optional<StringRef> name = expr.getSymbol()) {
    auto [argument, dim] = *parseName(*name);
    return tensor::DimOp::create(builder, loc, function.getArgument(argument),
                                 dim);
  }
  Value lhs = buildValue(builder, loc, function, expr.lhs());
  Value rhs = buildValue(builder, loc, function, expr.rhs());
  return buildOperator(builder, loc, *expr.getOperator(), lhs, rhs);
}

Value SizeFacts::build(OpBuilder &builder, Location loc,
                       const CountExpr &expr) const {
  func::FuncOp of = function;
  return buildValue(builder, loc, of, expr.toSizeExpr());
}

//===----------------------------------------------------------------------===//
// Evaluates a predicate for all values of its variables.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/EveryCoordinate.h"

#include "stof/Scalar/ScalarFunctions.h"

#include <cmath>

using namespace mlir;
using namespace stof;

namespace {

/// The value of a node: an integer, a predicate or a real number. It can be
/// unknown, such as log(0) as an integer in an arm that is not selected.
struct Number {
  int64_t whole = 0;
  double real = 0;
  bool isKnown = false;
};

class Trial {
public:
  /// Lists the nodes of `root`. Returns false if an extent is not constant or
  /// positive, or if there are too many values.
  bool prepare(const Expr *root);
  /// Whether `root` holds for every value of the variables, with a relative
  /// `error` of real numbers that become integers.
  bool holds(double error);

private:
  struct Node {
    const Expr *expr;
    SmallVector<unsigned, 3> operands;
  };

  Number evaluate(const Node &node, double error) const;
  std::optional<double> evaluateReal(const Node &node) const;

  std::vector<Node> nodes;
  std::vector<Number> values;
  SmallVector<unsigned> variables;
  SmallVector<int64_t> extents;
};

} // namespace

bool Trial::prepare(const Expr *root) {
  /// The maximum number of node evaluations.
  constexpr int64_t mostWork = int64_t(1) << 26;
  DenseMap<const Expr *, unsigned> numbers;
  int64_t count = 1;
  bool isKnown = true;
  walkExpr(root, [&](const Expr *expr) {
    Node node{expr, {}};
    if (expr->op == ScalarOp::Variable) {
      std::optional<int64_t> extent = expr->operands[0]->getInt();
      isKnown &= extent && *extent > 0 && *extent <= mostWork / count;
      variables.push_back(nodes.size());
      extents.push_back(extent.value_or(0));
      count *= isKnown ? *extent : 1;
    } else {
      for (const Expr *operand : expr->operands)
        node.operands.push_back(numbers.lookup(operand));
    }
    numbers[expr] = nodes.size();
    nodes.push_back(std::move(node));
  });
  values.resize(nodes.size());
  return isKnown && count * static_cast<int64_t>(nodes.size()) <= mostWork;
}

Number Trial::evaluate(const Node &node, double error) const {
  const Expr *expr = node.expr;
  auto isKnown = [&](unsigned operand) { return values[operand].isKnown; };
  if (expr->op == ScalarOp::Select) {
    const Number &condition = values[node.operands[0]];
    return condition.isKnown ? values[node.operands[condition.whole ? 1 : 2]]
                             : Number();
  }
  if (!llvm::all_of(node.operands, isKnown))
    return {};
  if (expr->op == ScalarOp::FToI) {
    constexpr double most = 1e15;
    double value = values[node.operands[0]].real * (1 + error);
    return std::abs(value) < most ? Number{static_cast<int64_t>(value), 0, true}
                                  : Number();
  }
  if (expr->isFloat()) {
    std::optional<double> value = evaluateReal(node);
    bool isNarrow = !expr->type.isF64();
    return value
               ? Number{0, isNarrow ? static_cast<float>(*value) : *value, true}
               : Number();
  }
  SmallVector<int64_t, 4> operands;
  for (unsigned operand : node.operands)
    operands.push_back(values[operand].whole);
  std::optional<int64_t> value = evaluateInteger(expr, operands);
  return value ? Number{*value, 0, true} : Number();
}

std::optional<double> Trial::evaluateReal(const Node &node) const {
  const Expr *expr = node.expr;
  if (std::optional<APFloat> value = expr->getFloat())
    return toDouble(*value);
  if (expr->op == ScalarOp::IToF)
    return values[node.operands[0]].whole;
  if (expr->op == ScalarOp::Cast)
    return values[node.operands[0]].real;
  if (!isFloatFunction(expr->op))
    return std::nullopt;
  SmallVector<double, 2> operands;
  for (unsigned operand : node.operands)
    operands.push_back(values[operand].real);
  return evaluateFloat(expr->op, operands);
}

bool Trial::holds(double error) {
  SmallVector<int64_t> point(variables.size(), 0);
  while (true) {
    for (auto [number, value] : llvm::zip(variables, point))
      values[number] = Number{value, 0, true};
    for (auto [number, node] : llvm::enumerate(nodes))
      if (node.expr->op != ScalarOp::Variable)
        values[number] = evaluate(node, error);
    if (!values.back().isKnown || !values.back().whole)
      return false;
    unsigned next = 0;
    while (next < point.size() && ++point[next] == extents[next])
      point[next++] = 0;
    if (next == point.size())
      return true;
  }
}

static SmallVector<const Expr *> listVariables(const Expr *root) {
  SmallVector<const Expr *> variables;
  walkExpr(root, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Variable)
      variables.push_back(expr);
  });
  return variables;
}

/// `predicate` in terms of the difference of its two variables, if it depends
/// on them in no other way: there are fewer differences than pairs.
static const Expr *readAsDifference(ExprContext &context,
                                    const Expr *predicate) {
  SmallVector<const Expr *> variables = listVariables(predicate);
  if (variables.size() != 2)
    return predicate;
  const Expr *from = variables[0], *to = variables[1];
  std::optional<int64_t> before = from->operands[0]->getInt();
  std::optional<int64_t> after = to->operands[0]->getInt();
  if (!before || !after || *before < 1 || *after < 1)
    return predicate;
  const Expr *difference =
      context.variable(context.integer(*before + *after - 1));
  const Expr *moved = context.linear({from, difference}, {1, 1}, 1 - *before);
  const Expr *result = context.substitute(predicate, {{to, moved}});
  return context.dependsOn(result, from) ? predicate : result;
}

bool stof::holdsForEveryCoordinate(ExprContext &context,
                                   const Expr *predicate) {
  constexpr double error = 1e-4;
  if (!predicate->isPredicate())
    return false;
  predicate = readAsDifference(context, predicate);
  if (std::optional<bool> known = predicate->getBool())
    return *known;
  Trial trial;
  return trial.prepare(predicate) && trial.holds(0) && trial.holds(error) &&
         trial.holds(-error);
}

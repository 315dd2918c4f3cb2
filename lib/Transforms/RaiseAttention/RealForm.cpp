//===----------------------------------------------------------------------===//
// Expressions over the reals, and their normal forms as sums and products.
//===----------------------------------------------------------------------===//

#include "RealForm.h"

#include "stof/Scalar/ScalarFunctions.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static const Expr *skipCasts(const Expr *expr) {
  while (expr->op == ScalarOp::Cast)
    expr = expr->operands[0];
  return expr;
}

Contraction stof::matchContraction(const Expr *expr) {
  if (expr->op != ScalarOp::Reduce ||
      expr->getReduceKind() != ReduceKind::Add || !expr->isFloat())
    return {};
  const Expr *product = skipCasts(expr->getBody());
  if (product->op != ScalarOp::MulF)
    return {};
  const Expr *lhs = skipCasts(product->operands[0]);
  const Expr *rhs = skipCasts(product->operands[1]);
  if (lhs->op != ScalarOp::Element || rhs->op != ScalarOp::Element)
    return {};
  return {lhs, rhs};
}

bool stof::containsContraction(const Expr *root) {
  bool found = false;
  walkExpr(root,
           [&](const Expr *expr) { found |= bool(matchContraction(expr)); });
  return found;
}

//===----------------------------------------------------------------------===//
// Real numbers
//===----------------------------------------------------------------------===//

const Expr *RealForm::get(const Expr *root) {
  if (auto it = done.find(root); it != done.end())
    return it->second;
  auto remember = [&](const Expr *expr) { return done[root] = expr; };
  Type type = context.getRealType();
  if (!root->isFloat()) {
    // Only conditions on scores are rewritten.
    if (root->op == ScalarOp::FToI || !containsContraction(root))
      return remember(root);
    SmallVector<const Expr *> operands;
    for (const Expr *operand : root->operands)
      operands.push_back(get(operand));
    return remember(context.rebuild(root, operands));
  }
  switch (root->op) {
  case ScalarOp::Cast:
    return remember(get(root->operands[0]));
  case ScalarOp::Constant:
    return remember(context.cast(root, type));
  case ScalarOp::IToF:
    return remember(context.intToFloat(root->operands[0], type));
  case ScalarOp::Select:
    return remember(context.select(get(root->operands[0]),
                                   get(root->operands[1]),
                                   get(root->operands[2])));
  case ScalarOp::Reduce: {
    SmallVector<const Expr *> operands(root->operands);
    operands[0] = get(operands[0]);
    const Expr *result = context.rebuild(root, operands);
    if (result->op == ScalarOp::Reduce && !result->origin)
      result->origin = root->origin;
    return remember(result);
  }
  case ScalarOp::Exp2: {
    // Without a contraction, e.g. for slopes, exp2 is kept.
    if (!containsContraction(root))
      return remember(
          context.floatOp(ScalarOp::Exp2, type, get(root->operands[0])));
    const Expr *exponent =
        context.floatOp(ScalarOp::MulF, type,
                        {get(root->operands[0]), context.real(std::log(2.0))});
    return remember(context.floatOp(ScalarOp::Exp, type, exponent));
  }
  case ScalarOp::Other:
    if (containsContraction(root)) {
      SmallVector<const Expr *> operands;
      for (const Expr *operand : root->operands)
        operands.push_back(get(operand));
      auto parts = cast<ArrayAttr>(root->attr);
      return remember(context.other(type, cast<StringAttr>(parts[0]),
                                    cast<DictionaryAttr>(parts[1]), operands));
    }
    return remember(context.cast(root, type));
  case ScalarOp::Element:
  case ScalarOp::Scalar:
    return remember(context.cast(root, type));
  default: {
    SmallVector<const Expr *> operands;
    for (const Expr *operand : root->operands)
      operands.push_back(get(operand));
    return remember(context.floatOp(root->op, type, operands));
  }
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static std::optional<double> getConstant(const Expr *expr) {
  std::optional<APFloat> value = expr->getFloat();
  if (!value)
    return std::nullopt;
  return toDouble(*value);
}

void RealSum::add(const Expr *term, double factor) {
  for (auto &[known, total] : terms)
    if (known == term) {
      total += factor;
      return;
    }
  terms.push_back({term, factor});
}

static bool containsReduction(const Expr *root) {
  bool found = false;
  walkExpr(root,
           [&](const Expr *expr) { found |= expr->op == ScalarOp::Reduce; });
  return found;
}

static void collectSum(RealSum &sum, const Expr *root, bool keepOffsets) {
  SmallVector<std::pair<const Expr *, double>> open{{root, 1.0}};
  while (!open.empty()) {
    auto [expr, factor] = open.pop_back_val();
    if (std::optional<double> known = getConstant(expr)) {
      sum.constant += factor * *known;
      continue;
    }
    std::optional<double> lhs, rhs;
    if (expr->operands.size() == 2) {
      lhs = getConstant(expr->operands[0]);
      rhs = getConstant(expr->operands[1]);
    }
    bool isSum = expr->op == ScalarOp::AddF || expr->op == ScalarOp::SubF;
    if (isSum && keepOffsets && (lhs || rhs) && !containsReduction(expr)) {
      sum.add(expr, factor);
    } else if (isSum) {
      double sign = expr->op == ScalarOp::AddF ? 1 : -1;
      open.push_back({expr->operands[1], sign * factor});
      open.push_back({expr->operands[0], factor});
    } else if (expr->op == ScalarOp::NegF) {
      open.push_back({expr->operands[0], -factor});
    } else if (expr->op == ScalarOp::MulF && rhs && std::isfinite(*rhs)) {
      open.push_back({expr->operands[0], factor * *rhs});
    } else if (expr->op == ScalarOp::MulF && lhs && std::isfinite(*lhs)) {
      open.push_back({expr->operands[1], factor * *lhs});
    } else if (expr->op == ScalarOp::DivF && rhs && *rhs != 0) {
      open.push_back({expr->operands[0], factor / *rhs});
    } else {
      sum.add(expr, factor);
    }
  }
}

/// Snaps factors within the rounding of a float constant to 1 and -1, e.g.
/// log2(e) * log(2).
static double snap(double factor) {
  constexpr double rounding = 5e-7;
  for (double whole : {1.0, -1.0})
    if (std::abs(factor - whole) < rounding)
      return whole;
  return factor;
}

RealSum RealSum::of(const Expr *expr, bool keepOffsets) {
  RealSum sum;
  collectSum(sum, expr, keepOffsets);
  llvm::erase_if(sum.terms, [](auto &term) { return term.second == 0; });
  for (auto &[term, factor] : sum.terms)
    factor = snap(factor);
  return sum;
}

RealSum RealSum::take(function_ref<bool(const Expr *)> predicate) {
  RealSum taken, left;
  left.constant = constant;
  for (auto [term, factor] : terms)
    (predicate(term) ? taken : left).terms.push_back({term, factor});
  *this = std::move(left);
  return taken;
}

bool RealSum::isEqual(const RealSum &other) const {
  if (terms.size() != other.terms.size() || constant != other.constant)
    return false;
  for (auto [term, factor] : terms)
    if (!llvm::is_contained(other.terms, std::pair(term, factor)))
      return false;
  return true;
}

const Expr *RealSum::build(ExprContext &context) const {
  const Expr *sum = nullptr;
  Type type = context.getRealType();
  for (auto [term, factor] : terms) {
    const Expr *scaled = factor == 1
                             ? term
                             : context.floatOp(ScalarOp::MulF, type,
                                               {term, context.real(factor)});
    sum = sum ? context.floatOp(ScalarOp::AddF, type, {sum, scaled}) : scaled;
  }
  if (!sum)
    return context.real(constant);
  if (constant == 0)
    return sum;
  return context.floatOp(ScalarOp::AddF, type, {sum, context.real(constant)});
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void RealProduct::collect(ExprContext &context, const Expr *expr,
                          bool inverse) {
  auto put = [&](const Expr *factor, bool below) {
    if (std::optional<double> known = getConstant(factor))
      constant *= below ? 1 / *known : *known;
    else
      (below ? under : over).push_back(factor);
  };
  // Repeated squaring has exponentially many factors.
  constexpr unsigned mostFactors = 64;
  if (over.size() + under.size() > mostFactors) {
    put(expr, inverse);
    return;
  }
  switch (expr->op) {
  case ScalarOp::MulF:
    collect(context, expr->operands[0], inverse);
    collect(context, expr->operands[1], inverse);
    return;
  case ScalarOp::DivF:
    collect(context, expr->operands[0], inverse);
    collect(context, expr->operands[1], !inverse);
    return;
  case ScalarOp::NegF:
    constant = -constant;
    collect(context, expr->operands[0], inverse);
    return;
  case ScalarOp::Exp: {
    RealSum exponent = RealSum::of(expr->operands[0], /*keepOffsets=*/true);
    RealSum logs = exponent.take(
        [](const Expr *term) { return term->op == ScalarOp::Log; });
    for (auto [term, factor] : logs.terms)
      if (factor == 1 || factor == -1)
        put(term->operands[0], (factor < 0) != inverse);
      else
        exponent.add(term, factor);
    const Expr *rest =
        logs.terms.empty() ? expr->operands[0] : exponent.build(context);
    put(context.floatOp(ScalarOp::Exp, context.getRealType(), rest), inverse);
    return;
  }
  default:
    put(expr, inverse);
  }
}

RealProduct RealProduct::of(ExprContext &context, const Expr *expr) {
  RealProduct product;
  product.collect(context, expr, /*inverse=*/false);
  return product;
}

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
  // Only conditions on scores are rewritten.
  bool isKept = !root->isFloat() &&
                (root->op == ScalarOp::FToI || !containsContraction(root));
  const Expr *result = isKept ? root
                       : root->isFloat()
                           ? visit(root)
                           : context.rebuild(root, operands(root));
  return done[root] = result;
}

SmallVector<const Expr *> RealForm::operands(const Expr *expr) {
  return llvm::map_to_vector(expr->operands,
                             [&](const Expr *operand) { return get(operand); });
}

const Expr *RealForm::visitExpr(const Expr *) {
  llvm_unreachable("all operations of floats are rewritten");
}

const Expr *RealForm::visitLeaf(const Expr *expr) {
  return context.cast(expr, context.getRealType());
}

const Expr *RealForm::visitCast(const Expr *expr) {
  return get(expr->operands[0]);
}

const Expr *RealForm::visitIToF(const Expr *expr) {
  return context.intToFloat(expr->operands[0], context.getRealType());
}

const Expr *RealForm::visitSelect(const Expr *expr) {
  SmallVector<const Expr *> parts = operands(expr);
  return context.select(parts[0], parts[1], parts[2]);
}

const Expr *RealForm::visitReduce(const Expr *expr) {
  SmallVector<const Expr *> parts(expr->operands);
  parts[0] = get(parts[0]);
  const Expr *result = context.rebuild(expr, parts);
  if (result->op == ScalarOp::Reduce && !result->origin)
    result->origin = expr->origin;
  return result;
}

const Expr *RealForm::visitFloat(const Expr *expr) {
  return context.floatOp(expr->op, context.getRealType(), operands(expr));
}

const Expr *RealForm::visitExp2(const Expr *expr) {
  // Without a contraction, e.g. for slopes, exp2 is kept.
  if (!containsContraction(expr))
    return visitFloat(expr);
  Type type = context.getRealType();
  const Expr *exponent =
      context.floatOp(ScalarOp::MulF, type,
                      {get(expr->operands[0]), context.real(std::log(2.0))});
  return context.floatOp(ScalarOp::Exp, type, exponent);
}

const Expr *RealForm::visitOther(const Expr *expr) {
  if (!containsContraction(expr))
    return visitLeaf(expr);
  return context.other(context.getRealType(), expr->getName(),
                       expr->getAttributes(), operands(expr));
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

namespace {
/// Collects the factors of an expression, or of its inverse.
class FactorCollector
    : public ScalarVisitor<FactorCollector, void, /*inverse=*/bool> {
public:
  FactorCollector(ExprContext &context, RealProduct &product)
      : context(context), product(product) {}

  void collect(const Expr *expr, bool inverse) {
    // Repeated squaring has exponentially many factors.
    constexpr unsigned mostFactors = 64;
    bool isFull = product.over.size() + product.under.size() > mostFactors;
    isFull ? visitExpr(expr, inverse) : visit(expr, inverse);
  }

private:
  friend ScalarVisitor;

  void visitExpr(const Expr *factor, bool inverse) {
    if (std::optional<double> known = getConstant(factor))
      product.constant *= inverse ? 1 / *known : *known;
    else
      (inverse ? product.under : product.over).push_back(factor);
  }
  void visitMulF(const Expr *expr, bool inverse) {
    collect(expr->operands[0], inverse);
    collect(expr->operands[1], inverse);
  }
  void visitDivF(const Expr *expr, bool inverse) {
    collect(expr->operands[0], inverse);
    collect(expr->operands[1], !inverse);
  }
  void visitNegF(const Expr *expr, bool inverse) {
    product.constant = -product.constant;
    collect(expr->operands[0], inverse);
  }
  void visitExp(const Expr *expr, bool inverse) {
    RealSum exponent = RealSum::of(expr->operands[0], /*keepOffsets=*/true);
    RealSum logs = exponent.take(
        [](const Expr *term) { return term->op == ScalarOp::Log; });
    for (auto [term, factor] : logs.terms)
      if (factor == 1 || factor == -1)
        visitExpr(term->operands[0], (factor < 0) != inverse);
      else
        exponent.add(term, factor);
    const Expr *rest =
        logs.terms.empty() ? expr->operands[0] : exponent.build(context);
    visitExpr(context.floatOp(ScalarOp::Exp, context.getRealType(), rest),
              inverse);
  }

  ExprContext &context;
  RealProduct &product;
};
} // namespace

RealProduct RealProduct::of(ExprContext &context, const Expr *expr) {
  RealProduct product;
  FactorCollector(context, product).collect(expr, /*inverse=*/false);
  return product;
}

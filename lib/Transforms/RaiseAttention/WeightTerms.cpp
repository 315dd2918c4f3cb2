//===----------------------------------------------------------------------===//
// Weights that are a sum of terms, which are contracted with the values
// separately:
//
//   sum over k of (a(k) - f b(k)) v(k) = sum of a(k) v(k) - f sum of b(k) v(k)
//
// where the factor f is the same for all keys.
//===----------------------------------------------------------------------===//

#include "WeightTerms.h"

#include "stof/Scalar/ScalarVisitor.h"

using namespace mlir;
using namespace stof;

namespace {
class WeightSplitter
    : public ScalarVisitor<WeightSplitter, SmallVector<WeightTerm>> {
public:
  WeightSplitter(ExprContext &context, ArrayRef<const Expr *> keys)
      : context(context), keys(keys) {}

  using Terms = SmallVector<WeightTerm>;
  Terms split(const Expr *expr) { return visit(expr); }

private:
  friend ScalarVisitor;

  Terms visitExpr(const Expr *expr) { return {WeightTerm{expr}}; }
  Terms visitCast(const Expr *expr);
  Terms visitNegF(const Expr *expr) { return negate(expr->operands[0]); }
  Terms visitAddF(const Expr *expr) {
    Terms terms = split(expr->operands[0]);
    llvm::append_range(terms, split(expr->operands[1]));
    return terms;
  }
  Terms visitSubF(const Expr *expr) {
    Terms terms = split(expr->operands[0]);
    llvm::append_range(terms, negate(expr->operands[1]));
    return terms;
  }
  Terms visitMulF(const Expr *expr);
  Terms visitDivF(const Expr *expr);
  Terms visitSelect(const Expr *expr);

  bool isVarying(const Expr *expr) {
    return llvm::any_of(
        keys, [&](const Expr *key) { return context.dependsOn(expr, key); });
  }
  /// The terms of `expr`, each multiplied or divided by `factor`.
  Terms scale(const Expr *expr, ScalarOp op, const Expr *factor) {
    Type real = context.getRealType();
    Terms terms = split(expr);
    for (WeightTerm &term : terms)
      term.factor =
          context.floatOp(op, real,
                          {term.factor ? term.factor : context.real(1),
                           context.cast(factor, real)});
    return terms;
  }
  Terms negate(const Expr *expr) {
    return scale(expr, ScalarOp::MulF, context.real(-1));
  }

  ExprContext &context;
  ArrayRef<const Expr *> keys;
};
} // namespace

WeightSplitter::Terms WeightSplitter::visitCast(const Expr *expr) {
  Terms terms = split(expr->operands[0]);
  for (WeightTerm &term : terms)
    term.weight = context.cast(term.weight, expr->type);
  return terms;
}

WeightSplitter::Terms WeightSplitter::visitMulF(const Expr *expr) {
  ArrayRef<const Expr *> operands = expr->operands;
  for (unsigned factor : {0, 1})
    if (!isVarying(operands[factor]) && isVarying(operands[1 - factor]))
      return scale(operands[1 - factor], ScalarOp::MulF, operands[factor]);
  return visitExpr(expr);
}

WeightSplitter::Terms WeightSplitter::visitDivF(const Expr *expr) {
  // The division of a single term may be that of its softmax.
  ArrayRef<const Expr *> operands = expr->operands;
  if (split(operands[0]).size() > 1 && !isVarying(operands[1]))
    return scale(operands[0], ScalarOp::DivF, operands[1]);
  return visitExpr(expr);
}

WeightSplitter::Terms WeightSplitter::visitSelect(const Expr *expr) {
  ArrayRef<const Expr *> operands = expr->operands;
  auto isZero = [&](unsigned number) {
    return operands[number]->isFloat() && operands[number]->isFloatValue(0);
  };
  if (!isZero(1) && !isZero(2))
    return visitExpr(expr);
  Terms terms = split(operands[isZero(1) ? 2 : 1]);
  if (terms.size() == 1 && !terms[0].factor)
    return visitExpr(expr);
  for (WeightTerm &term : terms) {
    const Expr *zero = context.real(0, term.weight->type);
    term.weight = context.select(operands[0], isZero(1) ? zero : term.weight,
                                 isZero(1) ? term.weight : zero);
  }
  return terms;
}

SmallVector<WeightTerm> stof::splitWeight(ExprContext &context,
                                          const Expr *weight,
                                          ArrayRef<const Expr *> keys) {
  SmallVector<WeightTerm> terms;
  Type real = context.getRealType();
  auto factorOf = [&](const WeightTerm &term) {
    return term.factor ? term.factor : context.real(1);
  };
  for (const WeightTerm &term : WeightSplitter(context, keys).split(weight)) {
    auto *same = llvm::find_if(terms, [&](const WeightTerm &other) {
      return other.weight == term.weight;
    });
    if (same == terms.end())
      terms.push_back(term);
    else
      same->factor = context.floatOp(ScalarOp::AddF, real,
                                     {factorOf(*same), factorOf(term)});
  }
  return terms;
}

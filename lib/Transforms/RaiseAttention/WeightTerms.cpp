//===----------------------------------------------------------------------===//
// Weights that are a sum of terms, which are contracted with the values
// separately:
//
//   sum over k of (a(k) - f b(k)) v(k) = sum of a(k) v(k) - f sum of b(k) v(k)
//
// where the factor f is the same for all keys.
//===----------------------------------------------------------------------===//

#include "WeightTerms.h"

using namespace mlir;
using namespace stof;

namespace {
class WeightSplitter {
public:
  WeightSplitter(ExprContext &context, ArrayRef<const Expr *> keys)
      : context(context), keys(keys) {}

  SmallVector<WeightTerm> split(const Expr *expr);

private:
  bool isVarying(const Expr *expr) {
    return llvm::any_of(
        keys, [&](const Expr *key) { return context.dependsOn(expr, key); });
  }
  /// The terms of `expr`, each multiplied or divided by `factor`.
  SmallVector<WeightTerm> scale(const Expr *expr, ScalarOp op,
                                const Expr *factor) {
    Type real = context.getRealType();
    SmallVector<WeightTerm> terms = split(expr);
    for (WeightTerm &term : terms)
      term.factor =
          context.floatOp(op, real,
                          {term.factor ? term.factor : context.real(1),
                           context.cast(factor, real)});
    return terms;
  }

  ExprContext &context;
  ArrayRef<const Expr *> keys;
};
} // namespace

SmallVector<WeightTerm> WeightSplitter::split(const Expr *expr) {
  ArrayRef<const Expr *> operands = expr->operands;
  auto isZero = [&](unsigned number) {
    return operands[number]->isFloat() && operands[number]->isFloatValue(0);
  };
  switch (expr->op) {
  case ScalarOp::Cast: {
    SmallVector<WeightTerm> terms = split(operands[0]);
    for (WeightTerm &term : terms)
      term.weight = context.cast(term.weight, expr->type);
    return terms;
  }
  case ScalarOp::NegF:
    return scale(operands[0], ScalarOp::MulF, context.real(-1));
  case ScalarOp::AddF:
  case ScalarOp::SubF: {
    SmallVector<WeightTerm> terms = split(operands[0]);
    llvm::append_range(
        terms, expr->op == ScalarOp::AddF
                   ? split(operands[1])
                   : scale(operands[1], ScalarOp::MulF, context.real(-1)));
    return terms;
  }
  case ScalarOp::MulF:
    for (unsigned factor : {0, 1})
      if (!isVarying(operands[factor]) && isVarying(operands[1 - factor]))
        return scale(operands[1 - factor], ScalarOp::MulF, operands[factor]);
    break;
  case ScalarOp::DivF: {
    // The division of a single term may be that of its softmax.
    SmallVector<WeightTerm> terms = split(operands[0]);
    if (terms.size() > 1 && !isVarying(operands[1]))
      return scale(operands[0], ScalarOp::DivF, operands[1]);
    break;
  }
  case ScalarOp::Select: {
    if (!isZero(1) && !isZero(2))
      break;
    SmallVector<WeightTerm> terms = split(operands[isZero(1) ? 2 : 1]);
    if (terms.size() == 1 && !terms[0].factor)
      break;
    for (WeightTerm &term : terms) {
      const Expr *zero = context.real(0, term.weight->type);
      term.weight = context.select(operands[0], isZero(1) ? zero : term.weight,
                                   isZero(1) ? term.weight : zero);
    }
    return terms;
  }
  default:
    break;
  }
  return {WeightTerm{expr}};
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

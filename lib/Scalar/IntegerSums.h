//===----------------------------------------------------------------------===//
// Sums of scalar integer expressions, for their simplification.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SCALAR_INTEGERSUMS_H
#define STOF_LIB_SCALAR_INTEGERSUMS_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

using Wide = __int128;

/// A linear combination of terms, plus a constant.
struct Sum {
  llvm::SmallVector<std::pair<const Expr *, int64_t>> terms;
  int64_t constant = 0;

  static Sum of(const Expr *expr) {
    Sum sum;
    if (std::optional<int64_t> known = expr->getInt()) {
      sum.constant = *known;
    } else if (expr->op == ScalarOp::Linear) {
      for (auto [term, factor] : llvm::zip(expr->operands, expr->ints))
        sum.terms.push_back({term, factor});
      sum.constant = expr->ints.back();
    } else {
      sum.terms.push_back({expr, 1});
    }
    return sum;
  }
  const Expr *build(ExprContext &context) const {
    llvm::SmallVector<const Expr *> exprs;
    llvm::SmallVector<int64_t> factors;
    for (auto [term, factor] : terms) {
      exprs.push_back(term);
      factors.push_back(factor);
    }
    return context.linear(exprs, factors, constant);
  }
};

inline bool fits(Wide value) {
  return value > Wide(Expr::minInt) && value < Wide(Expr::maxInt);
}

} // namespace stof

#endif // STOF_LIB_SCALAR_INTEGERSUMS_H

//===----------------------------------------------------------------------===//
// Expressions over the reals, i.e. without roundings, and their normal forms as
// sums and products.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_REALFORM_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_REALFORM_H

#include "stof/Scalar/ScalarVisitor.h"

namespace stof {

/// The operands of a sum of products of two tensor elements, up to casts; null
/// if the expression is not a contraction.
struct Contraction {
  const Expr *lhs = nullptr, *rhs = nullptr;
  explicit operator bool() const { return lhs; }
};
Contraction matchContraction(const Expr *expr);

/// Whether `root` contains a contraction.
bool containsContraction(const Expr *root);

/// Rewrites expressions with floats as real numbers. Integers converted from
/// floats, and comparisons without a contraction, keep their arithmetic.
class RealForm : private ScalarVisitor<RealForm, const Expr *> {
public:
  explicit RealForm(ExprContext &context) : context(context) {}
  const Expr *get(const Expr *root);

private:
  friend ScalarVisitor;

  const Expr *visitExpr(const Expr *expr);
  const Expr *visitLeaf(const Expr *expr);
  const Expr *visitCast(const Expr *expr);
  const Expr *visitIToF(const Expr *expr);
  const Expr *visitSelect(const Expr *expr);
  const Expr *visitReduce(const Expr *expr);
  const Expr *visitFloat(const Expr *expr);
  const Expr *visitExp2(const Expr *expr);
  const Expr *visitOther(const Expr *expr);
  llvm::SmallVector<const Expr *> operands(const Expr *expr);

  ExprContext &context;
  llvm::DenseMap<const Expr *, const Expr *> done;
};

/// A linear combination of terms plus a constant, over the reals.
struct RealSum {
  llvm::SmallVector<std::pair<const Expr *, double>> terms;
  double constant = 0;

  /// Decomposes `expr`. With `keepOffsets`, sums with a constant and without
  /// reductions stay intact, as in (1 - mask) * -1e9: a separate constant of
  /// that magnitude would absorb the score.
  static RealSum of(const Expr *expr, bool keepOffsets = false);
  /// Removes and returns the terms for which `predicate` is true.
  RealSum take(llvm::function_ref<bool(const Expr *)> predicate);
  void add(const Expr *term, double factor);
  bool isEqual(const RealSum &other) const;
  const Expr *build(ExprContext &context) const;
};

/// A quotient of products of real numbers.
struct RealProduct {
  llvm::SmallVector<const Expr *> over, under;
  double constant = 1;

  /// Decomposes `expr`, including exp of a sum with logarithms.
  static RealProduct of(ExprContext &context, const Expr *expr);
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_REALFORM_H

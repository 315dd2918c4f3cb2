//===----------------------------------------------------------------------===//
// Expressions as real numbers, and as sums and products: what a softmax
// computes once its roundings are set aside.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_REALFORM_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_REALFORM_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// A float constant as a double.
double toDouble(const llvm::APFloat &value);

/// The factors of a sum of products of two tensor elements, casts set aside;
/// both null if `expr` is no contraction.
struct Contraction {
  const Expr *lhs = nullptr, *rhs = nullptr;
  explicit operator bool() const { return lhs; }
};
Contraction matchContraction(const Expr *expr);

/// Whether a contraction is somewhere in `root`.
bool containsContraction(const Expr *root);

/// `root` with floats as real numbers. Integers that come out of floats, and
/// comparisons that decide on anything but a contraction, keep their
/// arithmetic.
class RealForm {
public:
  explicit RealForm(ExprContext &context) : context(context) {}
  const Expr *get(const Expr *root);

private:
  ExprContext &context;
  llvm::DenseMap<const Expr *, const Expr *> done;
};

/// A sum of factor times term, and a constant, of real numbers.
struct RealSum {
  llvm::SmallVector<std::pair<const Expr *, double>> terms;
  double constant = 0;

  /// Takes `expr` apart. With `keepOffsets` a constant stays with what no
  /// reduction is in, as in (1 - mask) * -1e9: a number that size on its own
  /// would take the score with it.
  static RealSum of(const Expr *expr, bool keepOffsets = false);
  /// The terms that `predicate` holds for; the others stay here.
  RealSum take(llvm::function_ref<bool(const Expr *)> predicate);
  void add(const Expr *term, double factor);
  bool isEqual(const RealSum &other) const;
  const Expr *build(ExprContext &context) const;
};

/// A product of real numbers over another.
struct RealProduct {
  llvm::SmallVector<const Expr *> over, under;
  double constant = 1;

  /// Takes `expr` apart, also exp of a sum in which a logarithm is.
  static RealProduct of(ExprContext &context, const Expr *expr);

private:
  void collect(ExprContext &context, const Expr *expr, bool inverse);
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_REALFORM_H

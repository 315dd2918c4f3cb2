//===----------------------------------------------------------------------===//
// Expressions as text that does not depend on where they come from: coordinates
// have names, what a mask captures has its type and a number, operands whose
// order means nothing are sorted.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_MASK_DIGEST_EXPRDIGEST_H
#define STOF_LIB_MASK_DIGEST_EXPRDIGEST_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// A truth value that stands for `expr`: the same, or its opposite.
struct Literal {
  const Expr *expr;
  bool isNegated;
};

/// A comparison as one of =, < or its opposite, so that both spellings are one
/// expression.
Literal normalizeComparison(ExprContext &context, const Expr *expr);

class ExprDigest {
public:
  explicit ExprDigest(const MaskExpr &mask) : mask(mask) {}

  /// The text of `expr`, in which captured values have their types only.
  std::string describeKind(const Expr *expr);
  /// The text of `expr`, in which they are numbered in the order in which they
  /// are first met by this.
  std::string describe(const Expr *expr);

private:
  std::string write(const Expr *expr, bool numbered);
  std::string writeValue(mlir::Value value, bool numbered);

  const MaskExpr &mask;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<const Expr *, std::string> kinds, texts;
};

} // namespace stof

#endif // STOF_LIB_MASK_DIGEST_EXPRDIGEST_H

//===----------------------------------------------------------------------===//
// Canonical text of expressions: coordinates have names, captures have their
// type and a number, operands of commutative operations are sorted.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_MASK_DIGEST_EXPRDIGEST_H
#define STOF_LIB_MASK_DIGEST_EXPRDIGEST_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// A condition: `expr` or its negation.
struct Literal {
  const Expr *expr;
  bool isNegated;
};

/// A comparison in terms of = or <, possibly negated, such that opposite
/// comparisons share one expression.
Literal normalizeComparison(ExprContext &context, const Expr *expr);

class ExprDigest {
public:
  explicit ExprDigest(const MaskExpr &mask) : mask(mask) {}

  /// The text of `expr`, with captures represented by their types only.
  std::string describeKind(const Expr *expr);
  /// The text of `expr`, with captures numbered in the order of their first use
  /// in texts of this object.
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

//===----------------------------------------------------------------------===//
// Abstract interpretation of the source's arithmetic in a fully masked row.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H

#include "stof/Scalar/ScalarVisitor.h"

#include "llvm/ADT/MapVector.h"
#include <cmath>

namespace stof {

/// The abstract value of an expression in a fully masked row.
struct RowValue {
  enum Kind {
    Known,   // a known number
    Uniform, // a typical number plus `number`, the same for all keys
    Varying, // varies with the scores, plus `number`
    True,
    False,
    Unclear // unknown
  } kind = Varying;
  double number = 0;

  bool operator==(const RowValue &other) const {
    bool areNaN = std::isnan(number) && std::isnan(other.number);
    return kind == other.kind &&
           (number == other.number || (kind == Known && areNaN));
  }
};

/// Evaluates expressions in a row where the mask predicates in `masked` are
/// false and those in `kept` are true for every key. `key` is the variable of
/// the keys, `product` the value of contractions. If `nearest` is not null,
/// only one key is such, in a row whose other keys are those of `nearest`,
/// which has been evaluated.
class RowEvaluator : private ScalarVisitor<RowEvaluator, RowValue> {
public:
  RowEvaluator(ExprContext &context, const Expr *key,
               llvm::ArrayRef<const Expr *> masked,
               llvm::ArrayRef<const Expr *> kept,
               RowValue product = {RowValue::Varying},
               const RowEvaluator *nearest = nullptr)
      : context(context), key(key), masked(masked), kept(kept),
        product(product), nearest(nearest) {}

  RowValue evaluate(const Expr *root);

  /// The operands of reductions over the keys, in the order of evaluation.
  llvm::MapVector<const Expr *, RowValue> reduced;

private:
  friend ScalarVisitor;

  RowValue evaluateNode(const Expr *expr);
  std::optional<bool> findKnown(const Expr *predicate);
  std::optional<double> evaluateKnown(const Expr *expr) const;
  RowValue operand(const Expr *expr, unsigned number) const;
  /// A number, rounded to the type of `expr`.
  RowValue known(const Expr *expr, double number) const;
  RowValue add(const Expr *expr, RowValue lhs, RowValue rhs);

  // Functions of floats are visited if an operand is not a known number.
  RowValue visitExpr(const Expr *expr);
  RowValue visitConstant(const Expr *expr);
  RowValue visitElement(const Expr *expr);
  RowValue visitReduce(const Expr *expr);
  RowValue visitSelect(const Expr *expr);
  RowValue visitLogic(const Expr *expr);
  RowValue visitXor(const Expr *expr);
  RowValue visitCmpI(const Expr *expr);
  RowValue visitCmpF(const Expr *expr);
  RowValue visitCast(const Expr *expr);
  RowValue visitIToF(const Expr *expr) { return visitCast(expr); }
  RowValue visitExp(const Expr *expr);
  RowValue visitExp2(const Expr *expr) { return visitExp(expr); }
  RowValue visitLog(const Expr *expr) { return {operand(expr, 0).kind}; }
  RowValue visitNegF(const Expr *expr);
  RowValue visitAddF(const Expr *expr) {
    return add(expr, operand(expr, 0), operand(expr, 1));
  }
  RowValue visitSubF(const Expr *expr);
  RowValue visitMulF(const Expr *expr);
  RowValue visitDivF(const Expr *expr);
  RowValue visitMaxF(const Expr *expr);
  RowValue visitMinF(const Expr *expr) { return visitMaxF(expr); }

  ExprContext &context;
  const Expr *key;
  llvm::SmallVector<const Expr *> masked, kept;
  RowValue product;
  const RowEvaluator *nearest;
  llvm::DenseMap<const Expr *, RowValue> values;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H

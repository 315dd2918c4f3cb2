//===----------------------------------------------------------------------===//
// Abstract interpretation of the source's arithmetic in a fully masked row.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H

#include "stof/Scalar/ScalarExpr.h"

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
/// the keys, `product` the value of contractions.
class RowEvaluator {
public:
  RowEvaluator(ExprContext &context, const Expr *key,
               llvm::ArrayRef<const Expr *> masked,
               llvm::ArrayRef<const Expr *> kept,
               RowValue product = {RowValue::Varying})
      : context(context), key(key), masked(masked), kept(kept),
        product(product) {}

  RowValue evaluate(const Expr *root);

  /// The operands of reductions over the keys, in the order of evaluation.
  llvm::MapVector<const Expr *, RowValue> reduced;

private:
  RowValue evaluateNode(const Expr *expr);
  RowValue combineKnown(const Expr *expr, RowValue lhs, RowValue rhs);
  RowValue evaluateReduce(const Expr *expr);
  RowValue compare(const Expr *expr);
  std::optional<bool> findTruth(const Expr *truth);

  ExprContext &context;
  const Expr *key;
  llvm::SmallVector<const Expr *> masked, kept;
  RowValue product;
  llvm::DenseMap<const Expr *, RowValue> values;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H

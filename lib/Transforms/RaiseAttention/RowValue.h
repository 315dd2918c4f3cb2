//===----------------------------------------------------------------------===//
// The arithmetic of the source in a row whose keys are all masked, over a few
// kinds of numbers.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H

#include "stof/Scalar/ScalarExpr.h"

#include "llvm/ADT/MapVector.h"
#include <cmath>

namespace stof {

/// What is known of a number in a row whose keys are all masked.
struct RowValue {
  enum Kind {
    Known,   // this number
    Uniform, // `number` more than some usual one, the same for all keys
    Varying, // as the scores do, and `number` more
    True,
    False,
    Unclear // more than is told apart here
  } kind = Varying;
  double number = 0;

  bool operator==(const RowValue &other) const {
    bool areNaN = std::isnan(number) && std::isnan(other.number);
    return kind == other.kind &&
           (number == other.number || (kind == Known && areNaN));
  }
};

/// Evaluates expressions in a row where each key is `dropped` by the masks that
/// say so and kept by the others. `key` is the variable of the keys, `product`
/// what is known of contractions.
class RowEvaluator {
public:
  RowEvaluator(ExprContext &context, const Expr *key,
               llvm::ArrayRef<const Expr *> dropped,
               llvm::ArrayRef<const Expr *> kept,
               RowValue product = {RowValue::Varying})
      : context(context), key(key), dropped(dropped), kept(kept),
        product(product) {}

  RowValue evaluate(const Expr *root);

  /// What was reduced over the keys, in the order of evaluation.
  llvm::MapVector<const Expr *, RowValue> reduced;

private:
  RowValue evaluateNode(const Expr *expr);
  RowValue combineKnown(const Expr *expr, RowValue lhs, RowValue rhs);
  RowValue evaluateReduce(const Expr *expr);
  RowValue compare(const Expr *expr);
  std::optional<bool> findTruth(const Expr *truth);

  ExprContext &context;
  const Expr *key;
  llvm::SmallVector<const Expr *> dropped, kept;
  RowValue product;
  llvm::DenseMap<const Expr *, RowValue> values;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ROWVALUE_H

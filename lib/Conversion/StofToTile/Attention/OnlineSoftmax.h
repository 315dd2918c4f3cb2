//===----------------------------------------------------------------------===//
// The online softmax (FlashAttention-2, section 3.1). For a tile of logits x
// and the values v of its keys, the state (m, l, acc) of a row becomes
//
//   m'   = max(m, rowmax x)
//   p    = 2^(x - m')
//   l'   = l 2^(m - m') + rowsum p
//   acc' = acc 2^(m - m') + p v
//
// in base 2, or the same with differences times log2 e for natural logits
// (LogitScale). A row without a logit so far has m = -inf and l = 0, and 0 is
// subtracted instead of m.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ONLINESOFTMAX_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ONLINESOFTMAX_H

#include "AttentionContext.h"
#include "LogitScale.h"

namespace stof {

/// The loop-carried values of a mainloop: f32 fragments, the row max as a
/// logit.
struct SoftmaxState {
  mlir::Value max, sum, accumulator;

  llvm::SmallVector<mlir::Value> getValues() const {
    return {max, sum, accumulator};
  }
  static SoftmaxState get(mlir::ValueRange values) {
    return {values[0], values[1], values[2]};
  }
};

/// A step of the recurrence before its contraction.
struct SoftmaxStep {
  /// The new state, with the accumulator rescaled only.
  SoftmaxState state;
  /// p, in the element type of V.
  mlir::Value weights;
};

class OnlineSoftmax {
public:
  OnlineSoftmax(const AttentionContext &context, const LogitScale &scale)
      : context(context), scale(scale), loc(context.loc) {}

  /// The state of rows that have seen one logit `max`, or none for -inf, whose
  /// exponentials sum up to `sum`; an f32 scalar each, or one for each row.
  SoftmaxState start(mlir::OpBuilder &builder, mlir::Value max,
                     mlir::Value sum) const;

  /// Adds a tile of logits, which are products if the scale has a factor.
  SoftmaxStep addTile(mlir::OpBuilder &builder, const SoftmaxState &state,
                      mlir::Value logits) const;

  /// The state of all keys that either state has seen.
  SoftmaxState combine(mlir::OpBuilder &builder, const SoftmaxState &state,
                       const SoftmaxState &other) const;

  /// The exponential of `logit - max`, elements of a row, where max = -inf if
  /// the row has no logit yet.
  mlir::Value power(mlir::OpBuilder &builder, mlir::Value logit,
                    mlir::Value max) const;

private:
  /// The value that is subtracted from logits of rows with the row max `max`.
  mlir::Value getReference(mlir::OpBuilder &builder, mlir::Value max) const;
  /// The exponential of the difference of two logits.
  mlir::Value exponential(mlir::OpBuilder &builder,
                          mlir::Value difference) const;
  /// The weight of a logit or product `x` of a row.
  mlir::Value getWeight(mlir::OpBuilder &builder, mlir::Value x,
                        mlir::Value reference) const;

  const AttentionContext &context;
  const LogitScale &scale;
  mlir::Location loc;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ONLINESOFTMAX_H

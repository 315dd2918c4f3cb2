//===----------------------------------------------------------------------===//
// The end of the rows of a tile: sinks, fully masked rows, and the results. A
// row that is fully masked, or has only scores of -inf, has l = 0:
//
// - zero: its reciprocal is 0 where the row is stored;
// - nan: 0 / 0, or NaN written where a sink makes the sum 1;
// - mean, unmasked: a second mainloop over all keys for such rows alone, under
//   the mask of these if there is one.
//
// A sink is one more step of the online softmax, without a value. It comes
// first, unless fully masked rows have to be recognized by l = 0.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ROWEPILOGUE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ROWEPILOGUE_H

#include "AttentionContext.h"
#include "AttentionGrid.h"
#include "OnlineSoftmax.h"
#include "QueryTile.h"

namespace stof {

class RowEpilogue {
public:
  RowEpilogue(const AttentionContext &context, const CtaTile &cta,
              const QueryTile &queries, const LogitScale &scale,
              const OnlineSoftmax &softmax, mlir::OpFoldResult numKeys)
      : context(context), cta(cta), queries(queries), scale(scale),
        softmax(softmax), numKeys(numKeys), body(context.kernel.body()),
        loc(context.loc) {}

  /// Whether fully masked rows are recognized before they are stored.
  bool findsEmptyRows() const;

  /// An i1 for each row: whether it is fully masked.
  mlir::Value findEmptyRows(const SoftmaxState &state) const;

  /// Whether sinks join the row sum after the last key.
  bool addsSinksLast() const;

  /// The sinks of the rows, as logits.
  mlir::Value getSinks() const;

  /// Adds the sinks after the last key. `empty` marks fully masked rows: their
  /// mean excludes the sink, and NaN overwrites it.
  SoftmaxState addSinks(const SoftmaxState &state, mlir::Value empty) const;

  /// The rows of the output: the accumulator over the row sum.
  mlir::Value normalize(const SoftmaxState &state) const;

  /// The LSE of each row.
  mlir::Value getLogSumExp(const SoftmaxState &state) const;

private:
  /// The sink at `indices`, as a logit.
  mlir::Value loadSink(mlir::OpBuilder &builder,
                       mlir::ValueRange indices) const;
  /// Whether a row may be fully masked although there are keys: by the mask, or
  /// by scores of -inf.
  bool mayMaskAllKeys() const;
  /// The reciprocal of a row sum.
  mlir::Value getReciprocal(mlir::OpBuilder &builder, mlir::Value sum) const;
  /// Whether the row of this sum yields 0; null if it never does otherwise.
  mlir::Value isZeroRow(mlir::OpBuilder &builder, mlir::Value sum) const;

  const AttentionContext &context;
  const CtaTile &cta;
  const QueryTile &queries;
  const LogitScale &scale;
  const OnlineSoftmax &softmax;
  mlir::OpFoldResult numKeys;
  mlir::OpBuilder &body;
  mlir::Location loc;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ROWEPILOGUE_H

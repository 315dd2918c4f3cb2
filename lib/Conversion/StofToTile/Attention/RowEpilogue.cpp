//===----------------------------------------------------------------------===//
// The end of the rows of a tile: sinks, fully masked rows, and the results.
//===----------------------------------------------------------------------===//

#include "RowEpilogue.h"
#include "MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace stof;

bool RowEpilogue::mayMaskAllKeys() const {
  return context.getOp().getMask() || context.getOp().hasScore();
}

bool RowEpilogue::findsEmptyRows() const {
  return mayMaskAllKeys() && context.getOp().getEmptyRows() != EmptyRows::Zero;
}

bool RowEpilogue::addsSinksLast() const { return findsEmptyRows(); }

Value RowEpilogue::findEmptyRows(const SoftmaxState &state) const {
  return mapElements(body, loc, context.getRowType(body.getI1Type()), state.sum,
                     [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                       return arith::CmpFOp::create(
                           inner, loc, arith::CmpFPredicate::OEQ, in[0],
                           createF32(inner, loc, 0));
                     });
}

Value RowEpilogue::loadSink(OpBuilder &builder, ValueRange indices) const {
  Value logit = memref::LoadOp::create(
      builder, loc, context.getArgument(context.getOp().getSinks()), indices);
  if (scale.isNatural)
    return logit;
  return arith::MulFOp::create(builder, loc, logit,
                               createF32(builder, loc, llvm::numbers::log2ef));
}

Value RowEpilogue::getSinks() const {
  Value sinks = context.getOp().getSinks();
  if (cast<ShapedType>(sinks.getType()).getRank() == 1)
    return tile::SplatOp::create(body, loc, context.getRowType(),
                                 loadSink(body, cta.row.head));
  Value length = body.createOrFold<arith::DivUIOp>(
      loc, queries.getNumQueries(), context.getSize(sinks, /*dim=*/1));
  return mapElements(body, loc, context.getRowType(), {},
                     [&](OpBuilder &inner, ValueRange at, ValueRange) -> Value {
                       Value part = arith::DivUIOp::create(
                           inner, loc, queries.getQuery(inner, at[0]), length);
                       return loadSink(inner, {cta.row.head, part});
                     });
}

SoftmaxState RowEpilogue::addSinks(const SoftmaxState &state,
                                   Value empty) const {
  EmptyRows emptyRows = context.getOp().getEmptyRows();
  Value sinks = getSinks();
  auto getLogit = [&](OpBuilder &inner, Value sink, Value isEmpty) -> Value {
    if (emptyRows != EmptyRows::Mean)
      return sink;
    return arith::SelectOp::create(inner, loc, isEmpty,
                                   createNegativeInfinity(inner, loc), sink);
  };
  tile::FragmentType rowType = context.getRowType();
  Value max =
      mapElements(body, loc, rowType, {state.max, sinks, empty},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    return arith::MaxNumFOp::create(
                        inner, loc, in[0], getLogit(inner, in[1], in[2]));
                  });
  Value rescale = mapElements(body, loc, rowType, {state.max, max},
                              [&](OpBuilder &inner, ValueRange, ValueRange in) {
                                return softmax.power(inner, in[0], in[1]);
                              });
  Value sum = mapElements(
      body, loc, rowType, {state.sum, rescale, max, sinks, empty},
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        Value weight =
            softmax.power(inner, getLogit(inner, in[3], in[4]), in[2]);
        return math::FmaOp::create(inner, loc, in[0], in[1], weight);
      });
  Value accumulator = mapElements(
      body, loc, state.accumulator.getType(),
      {state.accumulator, rescale, empty},
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        Value rescaled = arith::MulFOp::create(inner, loc, in[0], in[1]);
        if (emptyRows != EmptyRows::NaN)
          return rescaled;
        Value undefined =
            createF32(inner, loc, std::numeric_limits<float>::quiet_NaN());
        return arith::SelectOp::create(inner, loc, in[2], undefined, rescaled);
      });
  return {max, sum, accumulator};
}

Value RowEpilogue::isZeroRow(OpBuilder &builder, Value sum) const {
  AttentionOp op = context.getOp();
  bool mayHaveNoKeys = op.getKeyType().isDynamicDim(AttentionOp::Position);
  bool isNaN = op.getEmptyRows() == EmptyRows::NaN;
  if (op.getEmptyRows() == EmptyRows::Zero || op.getEmptyRowsMask()
          ? mayMaskAllKeys() || mayHaveNoKeys
          : mayHaveNoKeys && !op.hasScore() && !isNaN)
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, sum,
                                 createF32(builder, loc, 0));
  // The row sum is also 0 if all scores are -inf, so the number of keys
  // decides.
  if (mayHaveNoKeys && op.hasScore() && !(isNaN && op.getMask()))
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq,
        getValueOrCreateConstantIndexOp(builder, loc, numKeys),
        arith::ConstantIndexOp::create(builder, loc, 0));
  return {};
}

Value RowEpilogue::getReciprocal(OpBuilder &builder, Value sum) const {
  Value inverse =
      arith::DivFOp::create(builder, loc, createF32(builder, loc, 1), sum);
  Value isZero = isZeroRow(builder, sum);
  if (!isZero)
    return inverse;
  return arith::SelectOp::create(builder, loc, isZero,
                                 createF32(builder, loc, 0), inverse);
}

Value RowEpilogue::normalize(const SoftmaxState &state) const {
  Value inverse = mapElements(body, loc, context.getRowType(), state.sum,
                              [&](OpBuilder &inner, ValueRange, ValueRange in) {
                                return getReciprocal(inner, in[0]);
                              });
  return mapElements(
      body, loc,
      context.getFragmentType(context.tile.valueFeatures, context.element),
      {state.accumulator, inverse},
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        Value row = arith::MulFOp::create(inner, loc, in[0], in[1]);
        if (context.element.isF32())
          return row;
        return arith::TruncFOp::create(inner, loc, context.element, row);
      });
}

Value RowEpilogue::getLogSumExp(const SoftmaxState &state) const {
  return mapElements(
      body, loc, context.getRowType(), {state.max, state.sum},
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        Value log = math::Log2Op::create(inner, loc, in[1]);
        if (scale.isNatural)
          return math::FmaOp::create(inner, loc, log,
                                     createF32(inner, loc, llvm::numbers::ln2f),
                                     in[0]);
        Value base2 = arith::AddFOp::create(inner, loc, in[0], log);
        return arith::MulFOp::create(
            inner, loc, base2, createF32(inner, loc, llvm::numbers::ln2f));
      });
}

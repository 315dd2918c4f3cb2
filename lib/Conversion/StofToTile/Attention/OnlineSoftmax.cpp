//===----------------------------------------------------------------------===//
// The online softmax.
//===----------------------------------------------------------------------===//

#include "OnlineSoftmax.h"
#include "MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Reduces the columns of `tile` by `OpTy`.
template <typename OpTy>
static Value reduceRows(OpBuilder &builder, Location loc, Value tile) {
  return tile::ReduceOp::create(
      builder, loc, tile, /*dim=*/1,
      [](OpBuilder &inner, Location loc, Value lhs, Value rhs) -> Value {
        return OpTy::create(inner, loc, lhs, rhs);
      });
}

Value OnlineSoftmax::getReference(OpBuilder &builder, Value max) const {
  Value unseen =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, max,
                            createNegativeInfinity(builder, loc));
  return arith::SelectOp::create(builder, loc, unseen,
                                 createF32(builder, loc, 0), max);
}

Value OnlineSoftmax::exponential(OpBuilder &builder, Value difference) const {
  if (scale.isNatural)
    difference =
        arith::MulFOp::create(builder, loc, difference,
                              createF32(builder, loc, llvm::numbers::log2ef));
  return math::Exp2Op::create(builder, loc, difference);
}

Value OnlineSoftmax::power(OpBuilder &builder, Value logit, Value max) const {
  Value reference = getReference(builder, max);
  return exponential(builder,
                     arith::SubFOp::create(builder, loc, logit, reference));
}

Value OnlineSoftmax::getWeight(OpBuilder &builder, Value x,
                               Value reference) const {
  if (!scale.factor)
    return exponential(builder,
                       arith::SubFOp::create(builder, loc, x, reference));
  Value negated = arith::NegFOp::create(builder, loc, reference);
  return math::Exp2Op::create(
      builder, loc,
      math::FmaOp::create(builder, loc, x, scale.factor, negated));
}

SoftmaxState OnlineSoftmax::start(OpBuilder &builder, Value max,
                                  Value sum) const {
  tile::FragmentType rowType = context.getRowType();
  tile::FragmentType accumulatorType =
      context.getFragmentType(context.tile.valueFeatures, builder.getF32Type());
  auto ofRows = [&](Value value) -> Value {
    if (value.getType() == rowType)
      return value;
    return tile::SplatOp::create(builder, loc, rowType, value);
  };
  return {ofRows(max), ofRows(sum),
          tile::SplatOp::create(builder, loc, accumulatorType,
                                createF32(builder, loc, 0))};
}

SoftmaxStep OnlineSoftmax::addTile(OpBuilder &builder,
                                   const SoftmaxState &state,
                                   Value logits) const {
  tile::FragmentType rowType = context.getRowType();
  Value tileMax = reduceRows<arith::MaxNumFOp>(builder, loc, logits);
  auto row = tile::MapOp::create(
      builder, loc, TypeRange{rowType, rowType, rowType},
      ValueRange{state.max, tileMax},
      [&](OpBuilder &inner, Location, ValueRange, ValueRange in) {
        Value found = in[1];
        if (scale.factor)
          found = arith::MulFOp::create(inner, loc, found, scale.factor);
        Value max = arith::MaxNumFOp::create(inner, loc, in[0], found);
        Value reference = getReference(inner, max);
        Value rescale = exponential(
            inner, arith::SubFOp::create(inner, loc, in[0], reference));
        return SmallVector<Value>{max, reference, rescale};
      });
  Value max = row.getResult(0), reference = row.getResult(1),
        rescale = row.getResult(2);

  Type f32 = builder.getF32Type();
  int64_t keys = context.tile.keys;
  Value weights = mapElements(
      builder, loc, context.getFragmentType(keys, f32), {logits, reference},
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        return getWeight(inner, in[0], in[1]);
      });
  Value tileSum = reduceRows<arith::AddFOp>(builder, loc, weights);
  Value sum =
      mapElements(builder, loc, rowType, {state.sum, rescale, tileSum},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    return math::FmaOp::create(inner, loc, in[0], in[1], in[2]);
                  });
  Value rescaled = mapElements(
      builder, loc, state.accumulator.getType(), {state.accumulator, rescale},
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        return arith::MulFOp::create(inner, loc, in[0], in[1]);
      });
  // By itself: wgmma of the tile before may still read its operand.
  Value operand = weights;
  if (context.element != f32)
    operand = mapElements(
        builder, loc, context.getFragmentType(keys, context.element), {weights},
        [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
          return arith::TruncFOp::create(inner, loc, context.element, in[0]);
        });
  return {{max, sum, rescaled}, operand};
}

SoftmaxState OnlineSoftmax::combine(OpBuilder &builder,
                                    const SoftmaxState &state,
                                    const SoftmaxState &other) const {
  tile::FragmentType rowType = context.getRowType();
  auto row = tile::MapOp::create(
      builder, loc, TypeRange{rowType, rowType, rowType},
      ValueRange{state.max, other.max},
      [&](OpBuilder &inner, Location, ValueRange, ValueRange in) {
        Value max = arith::MaxNumFOp::create(inner, loc, in[0], in[1]);
        return SmallVector<Value>{max, power(inner, in[0], max),
                                  power(inner, in[1], max)};
      });
  auto add = [&](Value lhs, Value rhs) {
    return mapElements(
        builder, loc, lhs.getType(),
        {lhs, row.getResult(1), rhs, row.getResult(2)},
        [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
          Value scaled = arith::MulFOp::create(inner, loc, in[2], in[3]);
          return math::FmaOp::create(inner, loc, in[0], in[1], scaled);
        });
  };
  Value sum = add(state.sum, other.sum);
  return {row.getResult(0), sum, add(state.accumulator, other.accumulator)};
}

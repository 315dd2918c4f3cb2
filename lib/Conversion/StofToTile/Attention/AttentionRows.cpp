//===----------------------------------------------------------------------===//
// What becomes of a row of the attention kernel after the last key. A row that
// kept no key, or keys with scores of -inf alone, has l = 0:
//
// - zero: its reciprocal is 0 where the row is stored;
// - nan: 0 / 0, or NaN written where a sink makes the sum 1;
// - mean, unmasked: a second walk serves such rows alone, over all keys.
//
// A sink that joins now is one more step of the online softmax, without a
// value.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

Value AttentionEmitter::exponential(OpBuilder &builder, Value difference) {
  if (hasNaturalLogits())
    difference = arith::MulFOp::create(builder, loc, difference,
                                       constant(builder, log2e));
  return math::Exp2Op::create(builder, loc, difference);
}

Value AttentionEmitter::power(OpBuilder &builder, Value logit, Value max) {
  Value unseen = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                       max, infinity(builder));
  Value reference =
      arith::SelectOp::create(builder, loc, unseen, constant(builder, 0), max);
  return exponential(builder,
                     arith::SubFOp::create(builder, loc, logit, reference));
}

Value AttentionEmitter::sink() {
  Value logit = memref::LoadOp::create(body, loc, host(op.getSinks()), head);
  return hasNaturalLogits()
             ? logit
             : arith::MulFOp::create(body, loc, logit, constant(body, log2e));
}

AttentionEmitter::State AttentionEmitter::serveEmptyRows(State state,
                                                         Value empty) {
  Value any = tile::AnyOp::create(body, loc, empty);
  auto branch =
      scf::IfOp::create(body, loc, TypeRange(ValueRange(state.all())), any,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(body);
  body.setInsertionPointToStart(&branch.getThenRegion().front());
  State served = walkAll(state, empty);
  scf::YieldOp::create(body, loc, served.all());
  body.setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(body, loc, state.all());
  return {branch.getResult(0), branch.getResult(1), branch.getResult(2)};
}

AttentionEmitter::State AttentionEmitter::joinSink(State state, Value empty) {
  EmptyRows rows = op.getEmptyRows();
  Value logit = sink();
  // The mean of all values is not weighed against a sink.
  auto joined = [&](OpBuilder &inner, Value empty) -> Value {
    if (rows != EmptyRows::Mean)
      return logit;
    return arith::SelectOp::create(inner, loc, empty, infinity(inner), logit);
  };
  Value max = map(body, rowType, {state.max, empty},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    return arith::MaxNumFOp::create(inner, loc, in[0],
                                                    joined(inner, in[1]));
                  });
  Value fade = map(body, rowType, {state.max, max},
                   [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                     return power(inner, in[0], in[1]);
                   });
  Value sum = map(body, rowType, {state.sum, fade, max, empty},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    Value more = power(inner, joined(inner, in[3]), in[2]);
                    return math::FmaOp::create(inner, loc, in[0], in[1], more);
                  });
  Value accumulator =
      map(body, state.accumulator.getType(), {state.accumulator, fade, empty},
          [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
            Value faded = arith::MulFOp::create(inner, loc, in[0], in[1]);
            if (rows != EmptyRows::NaN)
              return faded;
            Value undefined =
                constant(inner, std::numeric_limits<float>::quiet_NaN());
            return arith::SelectOp::create(inner, loc, in[2], undefined, faded);
          });
  return {max, sum, accumulator};
}

AttentionEmitter::State AttentionEmitter::finishRows(State state) {
  if (!mayDropAllKeys() || op.getEmptyRows() == EmptyRows::Zero)
    return state;
  auto flags = cast<tile::FragmentType>(
      rowType.cloneWith(std::nullopt, body.getI1Type()));
  Value empty =
      map(body, flags, state.sum,
          [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
            return arith::CmpFOp::create(inner, loc, arith::CmpFPredicate::OEQ,
                                         in[0], constant(inner, 0));
          });
  if (op.getEmptyRows() != EmptyRows::NaN)
    state = serveEmptyRows(state, empty);
  return op.getSinks() ? joinSink(state, empty) : state;
}

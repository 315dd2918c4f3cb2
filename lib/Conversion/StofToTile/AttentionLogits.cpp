//===----------------------------------------------------------------------===//
// What becomes of one score in the attention kernel: the scale, the score
// region and the mask, evaluated at the coordinates of the element.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "ScalarBody.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

Value AttentionEmitter::scoreElement(OpBuilder &builder, Value product,
                                     ValueRange coordinates) {
  if (factor)
    return product;
  if (!op.hasScore()) {
    Value factor = constant(builder, log2e);
    if (scale)
      factor = builder.createOrFold<arith::MulFOp>(loc, scale, factor);
    return arith::MulFOp::create(builder, loc, product, factor);
  }
  if (scale)
    product = arith::MulFOp::create(builder, loc, product, scale);
  Block &score = op.getScore().front();
  IRMapping values = scoreValues;
  values.map(score.getArgument(0), product);
  values.map(score.getArguments().drop_front(1).take_front(
                 AttentionOp::numScoreArguments - 1),
             coordinates);
  Value result = copyScalarBody(builder, score, values, {}).front();
  return arith::MulFOp::create(builder, loc, result, constant(builder, log2e));
}

Value AttentionEmitter::logits(OpBuilder &builder, const KeyView &view,
                               Value scores, Value firstKey, Value emptyRows,
                               std::optional<Value> partial) {
  if (!partial)
    return logits(builder, view, scores, firstKey, emptyRows, /*masked=*/true);
  auto unmasked = [&](OpBuilder &inner) {
    return logits(inner, view, scores, firstKey, emptyRows, /*masked=*/false);
  };
  if (!*partial)
    return unmasked(builder);
  auto branch = scf::IfOp::create(
      builder, loc, *partial,
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc,
                             logits(inner, view, scores, firstKey, emptyRows,
                                    /*masked=*/true));
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, unmasked(inner));
      });
  return branch.getResult(0);
}

Value AttentionEmitter::logits(OpBuilder &builder, const KeyView &view,
                               Value scores, Value firstKey, Value emptyRows,
                               bool masked) {
  SmallVector<Value> inputs{scores};
  if (emptyRows)
    inputs.push_back(emptyRows);
  return map(
      builder, scores.getType(), inputs,
      [&](OpBuilder &inner, ValueRange at, ValueRange elements) -> Value {
        Value one = arith::ConstantIndexOp::create(inner, loc, 1);
        // Coordinates that exist: beyond the end the last one stands in.
        auto clamp = [&](Value position, Value count) -> Value {
          Value last = arith::SubIOp::create(inner, loc, count, one);
          return arith::MinUIOp::create(inner, loc, position, last);
        };
        Value q = arith::AddIOp::create(inner, loc, firstQuery, at[0]);
        Value number = arith::AddIOp::create(inner, loc, firstKey, at[1]);
        Value keep;
        if (masked && !view.isFilled)
          keep = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::ult,
                                       number, view.count);
        Value k = view.isFilled ? number : clamp(number, view.count);
        if (view.stride != 1) {
          k = arith::MulIOp::create(
              inner, loc, k,
              arith::ConstantIndexOp::create(inner, loc, view.stride));
          k = arith::AddIOp::create(
              inner, loc, k,
              arith::ConstantIndexOp::create(inner, loc, view.offset));
        }
        SmallVector<Value> coordinates{batch, head, clamp(q, numQueries), k};
        Value counts = emptyRows ? elements[1]
                       : masked && op.getMask()
                           ? maskCode->keeps(inner, coordinates)
                           : Value();
        if (counts)
          keep =
              keep ? arith::AndIOp::create(inner, loc, keep, counts).getResult()
                   : counts;
        if (masked && !view.earlier.empty()) {
          Value yes = arith::ConstantIntOp::create(inner, loc, 1, 1);
          Value fresh = arith::XOrIOp::create(inner, loc,
                                              isComputed(inner, view, k), yes);
          keep = keep ? arith::AndIOp::create(inner, loc, keep, fresh) : fresh;
        }
        bool mean = emptyRows && op.getEmptyRows() == EmptyRows::Mean;
        Value logit = mean ? constant(inner, 0)
                           : scoreElement(inner, elements[0], coordinates);
        if (!keep)
          return logit;
        return arith::SelectOp::create(inner, loc, keep, logit,
                                       infinity(inner));
      });
}

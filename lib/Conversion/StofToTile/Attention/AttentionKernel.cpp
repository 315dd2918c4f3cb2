//===----------------------------------------------------------------------===//
// The block-wise attention kernel. A block computes a tile of query rows of one
// head and walks over the keys, tile by tile (FlashAttention-2, section 3.1):
//
//   s     = q k^T                          on tensor cores
//   x     = scale s log2 e                 -inf where the mask drops the key
//   m'    = max(m, rowmax x)               online softmax in base 2
//   p     = 2^(x - m')                     a known scale is multiplied here
//   l     = l 2^(m - m') + rowsum p
//   acc   = acc 2^(m - m') + p v           on tensor cores
//
// and at the end stores acc / l. What a score region yields may be infinite in
// base 2, as the lowest float is: x is score(scale s) then, and each difference
// of logits is multiplied by log2 e. What becomes of rows that kept no key is
// in AttentionRows.cpp, rows whose keys are cut into parts are in
// AttentionParts.cpp.
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "AttentionEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static constexpr float ln2 = 0.69314718055994530942f;

/// Keys are multiplied in whole steps of the tensor cores.
static constexpr int64_t featureUnit = 16;

int64_t stof::attentionWarps(AttentionOp op) {
  return tileOf(op, /*chip=*/"").warps;
}

AttentionTile stof::tileOf(AttentionOp op, StringRef chip) {
  AttentionTile tile = chooseTile(op);
  if (std::optional<LayoutAttr> layout = op.getLayout()) {
    if (tile.queries != layout->getRowTile())
      tile.warps = layout->getRowTile() / attentionRowUnit;
    tile.queries = layout->getRowTile();
    tile.keys = layout->getColTile();
  }
  if (chip.empty())
    return joinFeatures(op, tile);
  fitFeatures(op, tile);
  return tile;
}

void AttentionEmitter::bindArguments() {
  element = op.getQueryType().getElementType();
  layout = tile::MmaAttr::get(body.getContext(), kernel.getNumWarps(), 1);
  auto rows = tile::SliceAttr::get(body.getContext(), 1, layout);
  rowType = tile::FragmentType::get(body.getContext(), {tile.queries},
                                    body.getF32Type(), rows);
  query = host(op.getQuery());
  numKeys = size(op.getKey(), AttentionOp::position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  allKeys.key = host(op.getKey());
  allKeys.value = host(op.getValue());
  allKeys.count = numKeys;
  allKeys.isFilled = !ShapedType::isDynamic(keys) && keys % tile.keys == 0;

  bindQueries();
  Value heads = size(op.getQuery(), AttentionOp::head);
  Value keyHeads = size(op.getKey(), AttentionOp::head);
  Value group = body.createOrFold<arith::DivUIOp>(loc, heads, keyHeads);
  keyHead = body.createOrFold<arith::DivUIOp>(loc, head, group);

  if (std::optional<APFloat> known = op.getScale())
    scale = constant(body, known->convertToFloat());
  if (Value dynamic = op.getDynamicScale()) {
    Value factor = host(dynamic);
    scale = scale ? arith::MulFOp::create(body, loc, scale, factor) : factor;
  }
  // A positive factor does not change which score is the largest.
  constexpr float steepest = 1e30f;
  std::optional<APFloat> known = op.getScale();
  float number = known ? known->convertToFloat() : 1;
  isTooSteep = std::abs(number) > steepest;
  if (!hasNaturalLogits() && !op.getDynamicScale() && number > 0)
    factor = constant(body, number * log2e);
  if (op.hasScore())
    for (auto [argument, captured] :
         llvm::zip(op.getScore().front().getArguments().drop_front(
                       AttentionOp::numScoreArguments),
                   op.getCaptures()))
      scoreValues.map(argument, host(captured));
  if (op.getMask())
    maskCode.emplace(kernel, op.getMask(), hostValues);
}

AttentionEmitter::State AttentionEmitter::initialState() {
  // A sink is a logit that has been seen before the first key, unless rows
  // without one have to be told apart.
  Value max = infinity(body), sum = constant(body, 0);
  if (op.getSinks() && !sinksComeLast()) {
    // That of a row in parts joins when they are merged.
    auto unlessPart = [&](Value whole, Value inPart) -> Value {
      if (!part)
        return whole;
      return part->applies ? arith::SelectOp::create(body, loc, part->applies,
                                                     inPart, whole)
                                 .getResult()
                           : inPart;
    };
    max = unlessPart(sink(), max);
    sum = unlessPart(constant(body, 1), sum);
  }
  auto accumulator = fragment(tile.valueFeatures, body.getF32Type());
  return {tile::SplatOp::create(body, loc, rowType, max),
          tile::SplatOp::create(body, loc, rowType, sum),
          tile::SplatOp::create(body, loc, accumulator, constant(body, 0))};
}

AttentionEmitter::State AttentionEmitter::step(OpBuilder &builder,
                                               const KeyView &view,
                                               const KeyTile &keys, State state,
                                               Value emptyRows) {
  auto f32 = builder.getF32Type();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  auto along = builder.getDenseI64ArrayAttr(
      {AttentionOp::position, AttentionOp::feature});
  auto load = [&](OpBuilder &at, Value buffer, int64_t features,
                  Value first) -> Value {
    auto type = tile::SharedType::get(builder.getContext(),
                                      {tile.keys, features}, element);
    return tile::LoadOp::create(
        at, loc, type, buffer, ValueRange{batch, keyHead, keys.firstKey, first},
        along);
  };
  Value none = tile::SplatOp::create(builder, loc, fragment(tile.keys, f32),
                                     constant(builder, 0));
  auto multiply = [&](OpBuilder &at, Value rows, Value first,
                      Value sums) -> Value {
    Value columns = load(at, view.key, tile.features, first);
    return tile::ContractOp::create(at, loc, sums.getType(), rows, columns,
                                    sums, /*transpose_lhs=*/false,
                                    /*transpose_rhs=*/true);
  };
  Value scores;
  if (tile.depthSteps == 1)
    scores = multiply(builder, queryTile, zero, none);
  else
    scores =
        scf::ForOp::create(
            builder, loc, zero,
            arith::ConstantIndexOp::create(builder, loc,
                                           tile.depthSteps * tile.features),
            arith::ConstantIndexOp::create(builder, loc, tile.features), none,
            [&](OpBuilder &inner, Location, Value first, ValueRange sums) {
              Value next =
                  multiply(inner, loadQueries(inner, first), first, sums[0]);
              scf::YieldOp::create(inner, loc, next);
            })
            .getResult(0);
  Value x = logits(builder, view, keys, scores, emptyRows);

  Value tileMax = tile::ReduceOp::create(
      builder, loc, x, /*dim=*/1,
      [&](OpBuilder &inner, Location, Value lhs, Value rhs) -> Value {
        return arith::MaxNumFOp::create(inner, loc, lhs, rhs);
      });
  // A row that has seen no key yet has max = -inf; what is subtracted is 0
  // then.
  auto row = tile::MapOp::create(
      builder, loc, TypeRange{rowType, rowType, rowType},
      ValueRange{state.max, tileMax},
      [&](OpBuilder &inner, Location, ValueRange, ValueRange in) {
        Value found = in[1];
        if (factor)
          found = arith::MulFOp::create(inner, loc, found, factor);
        Value max = arith::MaxNumFOp::create(inner, loc, in[0], found);
        Value unseen = arith::CmpFOp::create(
            inner, loc, arith::CmpFPredicate::OEQ, max, infinity(inner));
        Value reference = arith::SelectOp::create(inner, loc, unseen,
                                                  constant(inner, 0), max);
        Value faded = exponential(
            inner, arith::SubFOp::create(inner, loc, in[0], reference));
        return SmallVector<Value>{max, reference, faded};
      });
  Value max = row.getResult(0), reference = row.getResult(1),
        fade = row.getResult(2);
  auto weights = tile::MapOp::create(
      builder, loc,
      TypeRange{fragment(tile.keys, f32), fragment(tile.keys, element)},
      ValueRange{x, reference},
      [&](OpBuilder &inner, Location, ValueRange, ValueRange in) {
        Value weight =
            factor ? math::Exp2Op::create(
                         inner, loc,
                         math::FmaOp::create(
                             inner, loc, in[0], factor,
                             arith::NegFOp::create(inner, loc, in[1])))
                         .getResult()
                   : exponential(inner, arith::SubFOp::create(inner, loc, in[0],
                                                              in[1]));
        Value operand =
            element == f32
                ? weight
                : arith::TruncFOp::create(inner, loc, element, weight)
                      .getResult();
        return SmallVector<Value>{weight, operand};
      });
  Value tileSum = tile::ReduceOp::create(
      builder, loc, weights.getResult(0), /*dim=*/1,
      [&](OpBuilder &inner, Location, Value lhs, Value rhs) -> Value {
        return arith::AddFOp::create(inner, loc, lhs, rhs);
      });
  Value sum = map(builder, rowType, {state.sum, fade, tileSum},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    return math::FmaOp::create(inner, loc, in[0], in[1], in[2]);
                  });
  Value faded =
      map(builder, state.accumulator.getType(), {state.accumulator, fade},
          [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
            return arith::MulFOp::create(inner, loc, in[0], in[1]);
          });
  Value accumulator = tile::ContractOp::create(
      builder, loc, faded.getType(), weights.getResult(1),
      load(builder, view.value, tile.valueFeatures, firstFeature), faded,
      /*transpose_lhs=*/false, /*transpose_rhs=*/false);
  return {max, sum, accumulator};
}

AttentionEmitter::State AttentionEmitter::walkAll(State state,
                                                  Value emptyRows) {
  Value begin = kernel.index(0), end = numKeys;
  if (part && !emptyRows) {
    Value unit = kernel.index(tile.keys);
    Value endTile = body.createOrFold<arith::CeilDivUIOp>(loc, numKeys, unit);
    part->cut(body, loc, begin, endTile);
    begin = arith::MulIOp::create(body, loc, begin, unit);
    end = body.createOrFold<arith::MinSIOp>(
        loc, arith::MulIOp::create(body, loc, endTile, unit), numKeys);
  }
  auto loop = scf::ForOp::create(
      body, loc, begin, end, kernel.index(tile.keys), state.all(),
      [&](OpBuilder &builder, Location, Value firstKey, ValueRange carried) {
        State next = step(builder, allKeys, KeyTile{firstKey},
                          {carried[0], carried[1], carried[2]}, emptyRows);
        scf::YieldOp::create(builder, loc, next.all());
      });
  return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
}

Value AttentionEmitter::reciprocal(OpBuilder &builder, Value sum) {
  Value inverse =
      arith::DivFOp::create(builder, loc, constant(builder, 1), sum);
  bool mayHaveNoKeys = op.getKeyType().isDynamicDim(AttentionOp::position);
  bool isNaN = op.getEmptyRows() == EmptyRows::NaN;
  Value isEmpty, none = constant(builder, 0);
  if (op.getEmptyRows() == EmptyRows::Zero
          ? mayDropAllKeys() || mayHaveNoKeys
          : mayHaveNoKeys && !op.hasScore() && !isNaN)
    isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                    sum, none);
  else if (mayHaveNoKeys && op.hasScore() && !(isNaN && op.getMask()))
    // The sum of a row whose scores are all -inf is zero as well.
    isEmpty =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, numKeys,
                              arith::ConstantIndexOp::create(builder, loc, 0));
  if (!isEmpty)
    return inverse;
  return arith::SelectOp::create(builder, loc, isEmpty, none, inverse);
}

void AttentionEmitter::store(State state) {
  Value inverse =
      map(body, rowType, state.sum,
          [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
            return reciprocal(inner, in[0]);
          });
  Value out = map(body, fragment(tile.valueFeatures, element),
                  {state.accumulator, inverse},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    Value row = arith::MulFOp::create(inner, loc, in[0], in[1]);
                    if (element.isF32())
                      return row;
                    return arith::TruncFOp::create(inner, loc, element, row);
                  });
  tile::StoreOp::create(
      body, loc, out, viewRows(kernel.getArgument(results[0])),
      ValueRange{batch, head, firstQuery, firstFeature},
      body.getDenseI64ArrayAttr({AttentionOp::position, AttentionOp::feature}));
  if (results.size() == 1)
    return;
  Value lse = map(body, rowType, {state.max, state.sum},
                  [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
                    Value log = math::Log2Op::create(inner, loc, in[1]);
                    if (hasNaturalLogits())
                      return math::FmaOp::create(inner, loc, log,
                                                 constant(inner, ln2), in[0]);
                    Value base2 = arith::AddFOp::create(inner, loc, in[0], log);
                    return arith::MulFOp::create(inner, loc, base2,
                                                 constant(inner, ln2));
                  });
  tile::StoreOp::create(body, loc, lse,
                        viewRows(kernel.getArgument(results[1])),
                        ValueRange{batch, head, firstQuery},
                        body.getDenseI64ArrayAttr({AttentionOp::position}));
}

LogicalResult AttentionEmitter::check() {
  // Bitmaps have the answers of listed tiles, and of tiles in closed form only
  // what is left of the mask is asked.
  std::optional<LayoutAttr> layout = op.getLayout();
  bool isAsked = layout && layout->getStorage() == LayoutStorage::RunTime;
  if (op.getMask() && failed(MaskCode::verify(op, op.getMask(), isAsked)))
    return failure();
  for (ShapedType type : {op.getQueryType(), op.getValueType()})
    if (type.isDynamicDim(AttentionOp::feature))
      return op.emitOpError() << "cannot be compiled: expects a static number "
                                 "of features, but got "
                              << type;
  if (tile.queries % attentionRowUnit != 0 || tile.keys % featureUnit != 0)
    return op.emitOpError()
           << "cannot be compiled: expects a layout in tiles of multiples of "
           << attentionRowUnit << ", but got " << tile.queries << " x "
           << tile.keys;
  return success();
}

Value AttentionEmitter::loadQueries(OpBuilder &builder, Value firstFeature) {
  Type type = fragment(tile.features, element);
  if (!tile.holdsQueries)
    type = tile::SharedType::get(body.getContext(),
                                 {tile.queries, tile.features}, element);
  return tile::LoadOp::create(
      builder, loc, type, queryRows,
      ValueRange{batch, head, firstQuery, firstFeature},
      body.getDenseI64ArrayAttr({AttentionOp::position, AttentionOp::feature}));
}

void AttentionEmitter::bindQueryTile() {
  queryRows = viewRows(query);
  if (tile.depthSteps == 1)
    queryTile = loadQueries(body, kernel.index(0));
}

void AttentionEmitter::reportSteps() {
  if (tile.depthSteps == 1 && tile.featureParts == 1)
    return;
  remark::analysis(
      loc, remark::RemarkOpts::name("WideHeads").category("stof-lower-to-tile"))
      << remark::metric("DepthSteps", tile.depthSteps)
      << remark::metric("FeatureParts", tile.featureParts)
      << remark::reason(
             "a thread block has no shared memory for all features of queries "
             "and keys, or no registers for all of values");
}

LogicalResult AttentionEmitter::emit() {
  if (failed(check()))
    return failure();
  SmallVector<std::pair<StringRef, int64_t>> sizes{
      {"queries", tile.queries},
      {"keys", tile.keys},
      {"features", tile.features},
      {"value_features", tile.valueFeatures}};
  if (numParts() > 1)
    sizes.push_back({"parts", numParts()});
  if (tile.depthSteps > 1)
    sizes.push_back({"depth_steps", tile.depthSteps});
  if (tile.featureParts > 1)
    sizes.push_back({"feature_parts", tile.featureParts});
  reportSteps();
  kernel.setSchedule("block-wise", sizes);
  bindPosition();
  bindArguments();
  bindQueryTile();
  State state = op.getLayout() ? walkLayout(initialState())
                               : walkAll(initialState(), /*emptyRows=*/{});
  if (isTooLong)
    return failure();
  if (!part) {
    store(finishRows(state));
  } else if (!part->applies) {
    storePart(state);
  } else {
    auto branch = scf::IfOp::create(body, loc, part->applies,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(body);
    body.setInsertionPointToStart(branch.thenBlock());
    storePart(state);
    body.setInsertionPointToStart(branch.elseBlock());
    store(finishRows(state));
  }
  return launch();
}

LogicalResult stof::emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const IRMapping &values,
                                        ValueRange results,
                                        const AttentionPartials &partials,
                                        StringRef chip) {
  return AttentionEmitter(kernel, op, values, results, partials, chip).emit();
}

//===----------------------------------------------------------------------===//
// The tiled attention kernel. A CTA computes a row tile of one head and
// iterates over key tiles (FlashAttention-2, section 3.1):
//
//   s     = q k^T                          on tensor cores
//   x     = scale s log2 e                 -inf where masked
//   m'    = max(m, rowmax x)               online softmax in base 2
//   p     = 2^(x - m')                     a known scale is multiplied here
//   l     = l 2^(m - m') + rowsum p
//   acc   = acc 2^(m - m') + p v           on tensor cores
//
// and stores acc / l at the end. The result of a score region may overflow in
// base 2, as the lowest float does: x is score(scale s) then, and differences
// of logits are multiplied by log2 e. The same is done in f32.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "../Scalar/ScalarBody.h"
#include "AttentionKernel.h"
#include "PartialTiles.h"
#include "stof/IR/BitmapOrder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include <cmath>

using namespace mlir;
using namespace stof;

static constexpr float ln2 = 0.69314718055994530942f;

/// A key tile is a multiple of the K extent of an MMA tile.
static constexpr int64_t featureUnit = 16;

int64_t stof::attentionWarps(AttentionOp op) {
  return tileOf(op, /*target=*/nullptr).warps;
}

AttentionTile stof::tileOf(AttentionOp op, const TargetInfo *target) {
  AttentionTile tile = chooseTile(op);
  if (std::optional<LayoutAttr> layout = op.getLayout()) {
    if (tile.queries != layout->getRowTile())
      tile.warps = layout->getRowTile() / attentionRowUnit;
    tile.queries = layout->getRowTile();
    tile.keys = layout->getColTile();
  }
  if (!target)
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
  numKeys = size(op.getKey(), AttentionOp::Position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::Position);
  allKeys.key = host(op.getKey());
  allKeys.value = host(op.getValue());
  allKeys.count = numKeys;
  allKeys.isFilled = !ShapedType::isDynamic(keys) && keys % tile.keys == 0;

  bindQueries();
  Value heads = size(op.getQuery(), AttentionOp::Head);
  Value keyHeads = size(op.getKey(), AttentionOp::Head);
  Value group = body.createOrFold<arith::DivUIOp>(loc, heads, keyHeads);
  keyHead = body.createOrFold<arith::DivUIOp>(loc, head, group);

  if (std::optional<APFloat> known = op.getScale())
    scale = constant(body, known->convertToFloat());
  if (Value dynamic = op.getDynamicScale()) {
    Value factor = host(dynamic);
    scale = scale ? arith::MulFOp::create(body, loc, scale, factor) : factor;
  }
  // A positive factor keeps the order of scores, so it can be applied after the
  // row max.
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
  // A sink is a logit before the first key, unless fully masked rows have to be
  // recognized by a row sum of 0.
  Value max = infinity(body), sum = constant(body, 0);
  if (op.getSinks() && !sinksComeLast()) {
    // With split-KV it joins in the combine kernel.
    auto unlessSplit = [&](Value unsplit, Value inSplit) -> Value {
      if (!split)
        return unsplit;
      return split->applies ? arith::SelectOp::create(body, loc, split->applies,
                                                      inSplit, unsplit)
                                  .getResult()
                            : inSplit;
    };
    max = unlessSplit(sink(), max);
    sum = unlessSplit(constant(body, 1), sum);
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
      {AttentionOp::Position, AttentionOp::Feature});
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
                      Value accumulator) -> Value {
    Value columns = load(at, view.key, tile.features, first);
    return tile::ContractOp::create(at, loc, accumulator.getType(), rows,
                                    columns, accumulator,
                                    /*transpose_lhs=*/false,
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
            [&](OpBuilder &inner, Location, Value first, ValueRange carried) {
              Value next =
                  multiply(inner, loadQueries(inner, first), first, carried[0]);
              scf::YieldOp::create(inner, loc, next);
            })
            .getResult(0);
  Value x = logits(builder, view, keys, scores, emptyRows);

  Value tileMax = tile::ReduceOp::create(
      builder, loc, x, /*dim=*/1,
      [&](OpBuilder &inner, Location, Value lhs, Value rhs) -> Value {
        return arith::MaxNumFOp::create(inner, loc, lhs, rhs);
      });
  // A row without an unmasked key so far has max = -inf, so 0 is subtracted
  // instead.
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

AttentionEmitter::State AttentionEmitter::iterateAllKeys(State state,
                                                         Value emptyRows) {
  Value begin = kernel.index(0), end = numKeys;
  if (split && !emptyRows) {
    Value unit = kernel.index(tile.keys);
    Value endTile = body.createOrFold<arith::CeilDivUIOp>(loc, numKeys, unit);
    split->cut(body, loc, begin, endTile);
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
  bool mayHaveNoKeys = op.getKeyType().isDynamicDim(AttentionOp::Position);
  bool isNaN = op.getEmptyRows() == EmptyRows::NaN;
  Value isEmpty, none = constant(builder, 0);
  if (op.getEmptyRows() == EmptyRows::Zero
          ? mayDropAllKeys() || mayHaveNoKeys
          : mayHaveNoKeys && !op.hasScore() && !isNaN)
    isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                    sum, none);
  else if (mayHaveNoKeys && op.hasScore() && !(isNaN && op.getMask()))
    // The row sum is also 0 if all scores are -inf, so the number of keys
    // decides.
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
      body.getDenseI64ArrayAttr({AttentionOp::Position, AttentionOp::Feature}));
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
                        body.getDenseI64ArrayAttr({AttentionOp::Position}));
}

LogicalResult AttentionEmitter::check() {
  // Only run-time layouts evaluate the whole mask: constant tables have
  // bitmaps, and a closed form has reduced masks, which are checked on their
  // own.
  std::optional<LayoutAttr> layout = op.getLayout();
  bool isEvaluated = layout && layout->getStorage() == LayoutStorage::RunTime;
  if (op.getMask() && failed(MaskCode::verify(op, op.getMask(), isEvaluated)))
    return failure();
  for (ShapedType type : {op.getQueryType(), op.getValueType()})
    if (type.isDynamicDim(AttentionOp::Feature))
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
      body.getDenseI64ArrayAttr({AttentionOp::Position, AttentionOp::Feature}));
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
             "the shared memory of a CTA does not fit all features of queries "
             "and keys, or its registers do not fit all features of values");
}

LogicalResult AttentionEmitter::emit() {
  if (failed(check()))
    return failure();
  SmallVector<std::pair<StringRef, int64_t>> sizes{
      {"queries", tile.queries},
      {"keys", tile.keys},
      {"features", tile.features},
      {"value_features", tile.valueFeatures}};
  if (numSplits() > 1)
    sizes.push_back({"parts", numSplits()});
  if (tile.depthSteps > 1)
    sizes.push_back({"depth_steps", tile.depthSteps});
  if (tile.featureParts > 1)
    sizes.push_back({"feature_parts", tile.featureParts});
  reportSteps();
  kernel.setSchedule("block-wise", sizes);
  bindPosition();
  bindArguments();
  bindQueryTile();
  State state = op.getLayout()
                    ? iterateLayout(initialState())
                    : iterateAllKeys(initialState(), /*emptyRows=*/{});
  if (isTooLong)
    return failure();
  if (!split) {
    store(finishRows(state));
  } else if (!split->applies) {
    storeSplit(state);
  } else {
    auto branch = scf::IfOp::create(body, loc, split->applies,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(body);
    body.setInsertionPointToStart(branch.thenBlock());
    storeSplit(state);
    body.setInsertionPointToStart(branch.elseBlock());
    store(finishRows(state));
  }
  return launch();
}

LogicalResult stof::emitAttentionKernel(KernelBuilder &kernel, AttentionOp op,
                                        const IRMapping &values,
                                        ValueRange results,
                                        const AttentionPartials &partials,
                                        const TargetInfo *target) {
  return AttentionEmitter(kernel, op, values, results, partials, target).emit();
}

//===----------------------------------------------------------------------===//
// The assignment of row tiles and heads to CTAs.
//
// The grid is row tiles x heads x batches, or one-dimensional if some row tiles
// are ahead of the rest: these come first, each for all heads and all splits,
// then the rest, head by head. With a row stride, the number of a row tile
// encodes the residue of its queries and their position in that class.
//===----------------------------------------------------------------------===//

Value AttentionEmitter::countRowTiles() {
  if (rowStride() > 1)
    return body.createOrFold<affine::AffineMinOp>(
        loc, op.getLayout()->getRowTiles(), ValueRange{numQueries});
  return body.createOrFold<arith::CeilDivUIOp>(loc, numQueries,
                                               kernel.index(tile.queries));
}

void AttentionEmitter::reverseRowTile() {
  if (!op.getSchedule() || !op.getSchedule()->getReversed())
    return;
  Value last =
      body.createOrFold<arith::SubIOp>(loc, countRowTiles(), kernel.index(1));
  rowTile = body.createOrFold<arith::SubIOp>(loc, last, rowTile);
}

void AttentionEmitter::takeHead(Value number) {
  head = number;
  firstFeature = kernel.index(0);
  if (tile.featureParts == 1)
    return;
  Value parts = kernel.index(tile.featureParts);
  Value featurePart = body.createOrFold<arith::RemUIOp>(loc, number, parts);
  head = body.createOrFold<arith::DivUIOp>(loc, number, parts);
  firstFeature = body.createOrFold<arith::MulIOp>(
      loc, featurePart, kernel.index(tile.valueFeatures));
}

OpFoldResult AttentionEmitter::countHeads() {
  OpBuilder &host = kernel.host();
  OpFoldResult heads = memref::getMixedSize(
      host, loc, hostValues.lookup(op.getQuery()), AttentionOp::Head);
  return productOf(host, loc, {heads, host.getIndexAttr(tile.featureParts)});
}

void AttentionEmitter::bindPosition() {
  numQueries = size(op.getQuery(), AttentionOp::Position);
  Value block = kernel.getBlockId(gpu::Dimension::x);
  if (aheadOfOthers() == 0) {
    rowTile = block;
    takeHead(kernel.getBlockId(gpu::Dimension::y));
    batch = kernel.getBlockId(gpu::Dimension::z);
    return reverseRowTile();
  }
  auto sub = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::SubIOp>(loc, lhs, rhs);
  };
  auto mul = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  };
  auto div = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
  };
  auto rem = [&](Value lhs, Value rhs) {
    return body.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
  };
  Value one = kernel.index(1), rowTiles = countRowTiles();
  Value heads = mul(size(op.getQuery(), AttentionOp::Head),
                    kernel.index(tile.featureParts));
  Value all = mul(heads, size(op.getQuery(), AttentionOp::Batch));
  Value splits = kernel.index(numSplits());
  Value unit = div(block, splits), number = rem(unit, all);
  numberAhead = rowTile = div(unit, all);
  if (numSplits() > 1)
    split = SplitRange{rem(block, splits), numSplits()};
  std::optional<int64_t> known = getConstantIntValue(rowTiles);
  if (!known || *known > aheadOfOthers()) {
    Value ahead = body.createOrFold<arith::MinUIOp>(
        loc, rowTiles, kernel.index(aheadOfOthers()));
    Value rest =
        body.createOrFold<arith::MaxUIOp>(loc, sub(rowTiles, ahead), one);
    Value early = mul(mul(ahead, all), splits), late = sub(block, early);
    Value isEarly = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                          block, early);
    Value lateTile = arith::AddIOp::create(body, loc, ahead, rem(late, rest));
    rowTile =
        arith::SelectOp::create(body, loc, isEarly, numberAhead, lateTile);
    number =
        arith::SelectOp::create(body, loc, isEarly, number, div(late, rest));
    if (split)
      split->applies = isEarly;
  }
  takeHead(rem(number, heads));
  batch = div(number, heads);
  reverseRowTile();
}

void AttentionEmitter::bindQueries() {
  Value number = rowTile;
  if (rowStride() > 1) {
    Value stride = kernel.index(rowStride());
    rowClass = body.createOrFold<arith::RemUIOp>(loc, rowTile, stride);
    number = body.createOrFold<arith::DivUIOp>(loc, rowTile, stride);
    classSize = countEvery(numQueries, rowStride(), rowClass);
  }
  firstQuery =
      arith::MulIOp::create(body, loc, number, kernel.index(tile.queries));
}

OpFoldResult stof::countRowTiles(OpBuilder &host, AttentionOp op,
                                 const IRMapping &values) {
  Location loc = op.getLoc();
  OpFoldResult queries = memref::getMixedSize(
      host, loc, values.lookup(op.getQuery()), AttentionOp::Position);
  std::optional<LayoutAttr> layout = op.getLayout();
  if (layout && layout->getRowStride() > 1)
    return affine::makeComposedFoldedAffineMin(host, loc, layout->getRowTiles(),
                                               {queries});
  return ceilDiv(host, loc, queries, tileOf(op, /*target=*/nullptr).queries);
}

OpFoldResult stof::countTilesAhead(OpBuilder &host, AttentionOp op,
                                   const IRMapping &values) {
  MLIRContext *context = host.getContext();
  AffineExpr ahead =
      getAffineConstantExpr(op.getSchedule()->getAhead(), context);
  return affine::makeComposedFoldedAffineMin(
      host, op.getLoc(),
      AffineMap::get(0, 1, {getAffineSymbolExpr(0, context), ahead}, context),
      {countRowTiles(host, op, values)});
}

LogicalResult AttentionEmitter::launch() {
  OpBuilder &host = kernel.host();
  auto extent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, hostValues.lookup(op.getQuery()),
                                dim);
  };
  OpFoldResult rowTiles = stof::countRowTiles(host, op, hostValues);
  OpFoldResult heads = countHeads(), batches = extent(AttentionOp::Batch);
  if (aheadOfOthers() == 0)
    return kernel.launch({rowTiles, heads, batches});
  // Row tiles ahead count once per split.
  AffineExpr tiles = getAffineSymbolExpr(0, host.getContext());
  AffineExpr ahead = getAffineSymbolExpr(1, host.getContext());
  OpFoldResult blocks = affine::makeComposedFoldedAffineApply(
      host, loc, tiles + ahead * (numSplits() - 1),
      {rowTiles, countTilesAhead(host, op, hostValues)});
  OpFoldResult one = host.getIndexAttr(1);
  return kernel.launch(
      {productOf(host, loc, {blocks, heads, batches}), one, one});
}

//===----------------------------------------------------------------------===//
// The mainloop over the keys that a layout visits: first over plain tiles, then
// over the tiles of each lattice. With a row stride there is one mainloop, over
// the keys with unmasked positions for the queries of the row tile.
//===----------------------------------------------------------------------===//

OpFoldResult AttentionEmitter::countEvery(Value count, int64_t stride,
                                          OpFoldResult offset) {
  // An offset is less than the stride.
  std::optional<int64_t> known = getConstantIntValue(count);
  if (known && *known % stride == 0)
    return body.getIndexAttr(*known / stride);
  Value first = getValueOrCreateConstantIndexOp(body, loc, offset);
  Value rest = body.createOrFold<arith::MaxSIOp>(
      loc, body.createOrFold<arith::SubIOp>(loc, count, first),
      kernel.index(0));
  return getAsOpFoldResult(
      body.createOrFold<arith::CeilDivUIOp>(loc, rest, kernel.index(stride)));
}

Value AttentionEmitter::viewEvery(Value buffer, int64_t stride,
                                  OpFoldResult offset, OpFoldResult count) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), body.getIndexAttr(0)),
      strides(type.getRank(), body.getIndexAttr(1)), sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(memref::getMixedSize(body, loc, buffer, dim));
  // The offset is less than the stride. It is clamped for short buffers, as an
  // empty view has to start in bounds.
  OpFoldResult length = sizes[AttentionOp::Position];
  std::optional<int64_t> known = getConstantIntValue(length);
  if (!isZeroInteger(offset) && (!known || *known < stride - 1))
    offset = body.createOrFold<arith::MinUIOp>(
        loc, getValueOrCreateConstantIndexOp(body, loc, offset),
        getValueOrCreateConstantIndexOp(body, loc, length));
  offsets[AttentionOp::Position] = offset;
  strides[AttentionOp::Position] = body.getIndexAttr(stride);
  sizes[AttentionOp::Position] = count;
  return memref::SubViewOp::create(body, loc, buffer, offsets, sizes, strides);
}

Value AttentionEmitter::viewRows(Value buffer) {
  if (!rowClass)
    return buffer;
  return viewEvery(buffer, rowStride(), rowClass, classSize);
}

AttentionEmitter::KeyView AttentionEmitter::viewLattice(int64_t stride,
                                                        OpFoldResult offset) {
  OpFoldResult count = countEvery(numKeys, stride, offset);
  std::optional<int64_t> known = getConstantIntValue(count);
  KeyView view;
  view.stride = stride;
  view.offset = offset;
  view.count = getValueOrCreateConstantIndexOp(body, loc, count);
  view.isFilled = known && *known % tile.keys == 0;
  view.key = viewEvery(allKeys.key, stride, offset, count);
  view.value = viewEvery(allKeys.value, stride, offset, count);
  return view;
}

Value AttentionEmitter::isComputed(OpBuilder &builder, const KeyView &view,
                                   Value key) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(key.getType(), value));
  };
  Value any;
  for (const KeyView &before : view.earlier) {
    Value inView = key, onLattice;
    if (before.stride != 1) {
      Value stride = number(before.stride);
      Value phase = arith::RemUIOp::create(builder, loc, key, stride);
      Value offset = builder.createOrFold<arith::IndexCastOp>(
          loc, key.getType(),
          getValueOrCreateConstantIndexOp(builder, loc, before.offset));
      onLattice = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        phase, offset);
      inView = arith::DivUIOp::create(builder, loc, key, stride);
    }
    Value keyTile =
        arith::DivUIOp::create(builder, loc, inView, number(tile.keys));
    keyTile = builder.createOrFold<arith::IndexCastOp>(
        loc, builder.getIndexType(), keyTile);
    Value computed = before.iterator->visits(builder, keyTile);
    if (onLattice)
      computed = arith::AndIOp::create(builder, loc, computed, onLattice);
    any = any ? arith::OrIOp::create(builder, loc, any, computed).getResult()
              : computed;
  }
  return any;
}

AttentionEmitter::State
AttentionEmitter::iterateView(State state, const KeyView &view,
                              KeyTileIterator &iterator) {
  SmallVector<Value> inits{iterator.getFirst(body)};
  llvm::append_range(inits, state.all());
  auto loop = scf::WhileOp::create(
      body, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value more =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                  carried[0], iterator.getEnd());
        scf::ConditionOp::create(builder, loc, more, carried);
      },
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value position = carried[0];
        KeyTile keys;
        keys.firstKey = arith::MulIOp::create(
            builder, loc, iterator.getKeyTile(builder, position),
            arith::ConstantIndexOp::create(builder, loc, tile.keys));
        keys.tests = findTests(builder, view, iterator, position);
        if (view.bitmaps)
          keys.bitmap = iterator.getBitmap(builder, position);
        State next =
            step(builder, view, keys, {carried[1], carried[2], carried[3]},
                 /*emptyRows=*/{});
        SmallVector<Value> yielded{iterator.getNext(builder, position)};
        llvm::append_range(yielded, next.all());
        scf::YieldOp::create(builder, loc, yielded);
      });
  return {loop.getResult(1), loop.getResult(2), loop.getResult(3)};
}

AttentionEmitter::State AttentionEmitter::iterateLayout(State state) {
  LayoutAttr layout = *op.getLayout();
  RowTile row{rowTile, batch, head};
  auto operands = llvm::map_to_vector(
      op.getLayoutOperands(), [&](Value operand) { return host(operand); });
  if (layout.getStorage() != LayoutStorage::ClosedForm) {
    KeyTileIterator iterator(body, loc, row, operands[0], operands[1]);
    if (split)
      iterator.cut(body, *split);
    KeyView view = allKeys;
    if (layout.getStorage() == LayoutStorage::Tables)
      view.bitmaps = operands[2];
    return iterateView(state, view, iterator);
  }
  SmallVector<Value> symbols = readSymbols(body, loc, layout, row, operands);
  auto keyTiles = [&](const KeyView &view) {
    return body.createOrFold<arith::CeilDivUIOp>(loc, view.count,
                                                 kernel.index(tile.keys));
  };
  // Reserved: views keep pointers to iterators and to preceding views.
  unsigned count = 1 + (layout.getLattices() ? layout.getLattices().size() : 0);
  std::vector<KeyTileIterator> iterators;
  std::vector<KeyView> views;
  iterators.reserve(count);
  views.reserve(count);
  auto add = [&](KeyView view, ArrayAttr visited, ArrayAttr partial) {
    if (!visited)
      return;
    iterators.emplace_back(body, loc, visited, partial, row, keyTiles(view),
                           symbols);
    if (split)
      iterators.back().cut(body, *split);
    view.iterator = &iterators.back();
    view.earlier = views;
    view.partial = findPartialCases(view, visited, partial);
    state = iterateView(state, view, iterators.back());
    views.push_back(view);
  };
  KeyView first = allKeys;
  if (rowClass) {
    // The keys whose distance from the queries has the residue of the layout.
    int64_t stride = rowStride();
    Value shifted = body.createOrFold<arith::AddIOp>(
        loc, rowClass, kernel.index(stride - layout.getResidue()));
    first = viewLattice(stride, body.createOrFold<arith::RemUIOp>(
                                    loc, shifted, kernel.index(stride)));
  }
  add(first, layout.getVisited(), layout.getPartial());
  if (layout.getLattices())
    for (auto lattice : layout.getLattices().getAsRange<LatticeAttr>())
      add(viewLattice(lattice.getStride(),
                      body.getIndexAttr(lattice.getOffset())),
          lattice.getVisited(), lattice.getPartial());
  return state;
}

//===----------------------------------------------------------------------===//
// The logit of a score: the scale, the score region and the mask, evaluated at
// the coordinates of the element.
//===----------------------------------------------------------------------===//

Value AttentionEmitter::scoreElement(OpBuilder &builder, Value product,
                                     ArrayRef<PairCoordinate> coordinates) {
  if (factor)
    return product;
  if (!hasNaturalLogits()) {
    Value factor = constant(builder, log2e);
    if (scale)
      factor = builder.createOrFold<arith::MulFOp>(loc, scale, factor);
    return arith::MulFOp::create(builder, loc, product, factor);
  }
  if (scale)
    product = arith::MulFOp::create(builder, loc, product, scale);
  if (!op.hasScore())
    return product;
  Block &score = op.getScore().front();
  IRMapping values = scoreValues;
  values.map(score.getArgument(0), product);
  return copyPairBody(builder, score, values,
                      score.getArguments().drop_front(1).take_front(
                          AttentionOp::numScoreArguments - 1),
                      coordinates)
      .front();
}

SmallVector<Value> AttentionEmitter::loadBitmap(OpBuilder &builder,
                                                const KeyView &view,
                                                Value bitmap) {
  auto type = cast<tile::FragmentType>(
      rowType.cloneWith(std::nullopt, builder.getI32Type()));
  SmallVector<Value> words;
  for (int64_t number = 0; number < BitmapOrder(tile.keys).getWordsOfRow();
       ++number)
    words.push_back(
        map(builder, type, {},
            [&](OpBuilder &inner, ValueRange at, ValueRange) -> Value {
              Value word = arith::ConstantIndexOp::create(inner, loc, number);
              return memref::LoadOp::create(inner, loc, view.bitmaps,
                                            ValueRange{bitmap, at[0], word});
            }));
  return words;
}

namespace {
/// An i32 value that is not negative, as an operand of BitmapOrder.
struct Computed {
  OpBuilder &builder;
  Value value;

  Value constant(int64_t number) const {
    return arith::ConstantIntOp::create(builder, value.getLoc(), number, 32);
  }
  template <typename OpTy>
  Computed apply(Value operand) const {
    return {builder, OpTy::create(builder, value.getLoc(), value, operand)};
  }
  Computed operator+(Computed other) const {
    return apply<arith::AddIOp>(other.value);
  }
  Computed operator*(int64_t factor) const {
    return apply<arith::MulIOp>(constant(factor));
  }
  Computed operator/(int64_t divisor) const {
    return apply<arith::DivUIOp>(constant(divisor));
  }
  Computed operator%(int64_t divisor) const {
    return apply<arith::RemUIOp>(constant(divisor));
  }
};
} // namespace

Value AttentionEmitter::testBitmap(OpBuilder &builder, ValueRange words,
                                   Value column) {
  BitmapOrder order(tile.keys);
  Computed at{builder, arith::IndexCastOp::create(
                           builder, loc, builder.getI32Type(), column)};
  // The columns of a thread share `first`, so it is kept separate from `bit`.
  constexpr int64_t wordSize = BitmapOrder::bitsOfWord;
  Computed first = order.getFirstBit(at), bit = order.getBit(at);
  Computed word = first / wordSize + bit / wordSize;
  Value bits = words.front();
  for (auto [number, other] : llvm::drop_begin(llvm::enumerate(words))) {
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         word.value, word.constant(number));
    bits = arith::SelectOp::create(builder, loc, isHere, other, bits);
  }
  bits = arith::ShRUIOp::create(builder, loc, bits, (first % wordSize).value);
  bits = arith::ShRUIOp::create(builder, loc, bits, (bit % wordSize).value);
  return arith::TruncIOp::create(builder, loc, builder.getI1Type(), bits);
}

std::optional<std::pair<int64_t, int64_t>>
AttentionEmitter::getNarrowEnds(const KeyView &view) {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::Position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::Position);
  if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys) ||
      std::max(queries, keys) > narrowLimit || view.stride > narrowLimit)
    return std::nullopt;
  int64_t inView = llvm::divideCeil(keys, view.stride);
  int64_t inClass = llvm::divideCeil(queries, rowStride());
  // The offset is less than the stride.
  int64_t queryEnd = (llvm::alignTo(inClass, tile.queries) + 1) * rowStride();
  int64_t keyEnd = (llvm::alignTo(inView, tile.keys) + 1) * view.stride;
  if (std::max(queryEnd, keyEnd) > narrowLimit)
    return std::nullopt;
  return std::pair(queryEnd, keyEnd);
}

SmallVector<AttentionEmitter::PartialCase>
AttentionEmitter::findPartialCases(const KeyView &view, ArrayAttr visited,
                                   ArrayAttr partial) {
  if (!partial)
    return {};
  MaskOpInterface mask = op.getMaskDefinition();
  // Tiles imply no comparison of a list.
  if (!mask || mask.getOrigin() == MaskOrigin::BlockList)
    return {{llvm::to_vector(llvm::seq<unsigned>(partial.size())), testAll()}};
  if (!implied)
    implied.emplace(op);
  bool isLattice = view.stride != 1 && !rowClass;
  int64_t offset = isLattice ? *getConstantIntValue(view.offset) : 0;
  SmallVector<PartialCase> cases;
  for (ReducedMask &one : reduceMask(op, *implied, visited, partial,
                                     view.stride, offset, view.isFilled)) {
    PairTest test{/*isMasked=*/true, one.hasPadding};
    if (!one.keepsAll()) {
      reducedMasks.push_back(std::move(one.mask));
      MaskOp reduced = *reducedMasks.back();
      isTooLong |= failed(MaskCode::verify(op, reduced, /*isEvaluated=*/true));
      reducedCodes.emplace_back(kernel, reduced, hostValues);
      test.code = &reducedCodes.back();
    }
    cases.push_back({one.intervals, test});
  }
  return cases;
}

SmallVector<AttentionEmitter::Condition>
AttentionEmitter::findTests(OpBuilder &builder, const KeyView &view,
                            KeyTileIterator &iterator, Value position) {
  if (op.getLayout()->getStorage() != LayoutStorage::ClosedForm)
    return {{iterator.isPartial(builder, position), testAll()}};
  return llvm::map_to_vector(view.partial, [&](const PartialCase &one) {
    return Condition(iterator.isPartial(builder, position, one.intervals),
                     one.test);
  });
}

Value AttentionEmitter::logits(OpBuilder &builder, const KeyView &view,
                               const KeyTile &keys, Value scores,
                               Value emptyRows) {
  if (!keys.tests)
    return logits(builder, view, keys, scores, emptyRows, testAll());
  auto compute = [&](OpBuilder &inner, ArrayRef<Condition> conditions,
                     auto &&rest) -> Value {
    if (conditions.empty())
      return logits(inner, view, keys, scores, emptyRows, PairTest());
    auto [holds, test] = conditions.front();
    auto branch = scf::IfOp::create(inner, loc, scores.getType(), holds,
                                    /*withElseRegion=*/true);
    OpBuilder taken = branch.getThenBodyBuilder();
    scf::YieldOp::create(taken, loc,
                         logits(taken, view, keys, scores, emptyRows, test));
    OpBuilder other = branch.getElseBodyBuilder();
    scf::YieldOp::create(other, loc,
                         rest(other, conditions.drop_front(), rest));
    return branch.getResult(0);
  };
  return compute(builder, *keys.tests, compute);
}

Value AttentionEmitter::logits(OpBuilder &builder, const KeyView &view,
                               const KeyTile &keys, Value scores,
                               Value emptyRows, PairTest test) {
  SmallVector<Value> inputs{scores};
  if (emptyRows)
    inputs.push_back(emptyRows);
  // Out-of-bounds keys are masked in a bitmap.
  bool hasBitmap = test.isMasked && keys.bitmap;
  if (hasBitmap)
    llvm::append_range(inputs, loadBitmap(builder, view, keys.bitmap));
  std::optional<std::pair<int64_t, int64_t>> ends = getNarrowEnds(view);
  Type type = ends ? Type(builder.getI32Type()) : builder.getIndexType();
  auto flags = ends ? arith::IntegerOverflowFlags::nsw
                    : arith::IntegerOverflowFlags::none;
  bool hasToExist = (op.hasScore() && readsTensors(op.getScore())) ||
                    (test.code && test.code->readsTensors());
  return map(
      builder, scores.getType(), inputs,
      [&](OpBuilder &inner, ValueRange at, ValueRange elements) -> Value {
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(inner, loc,
                                           inner.getIntegerAttr(type, value));
        };
        auto convert = [&](Value index) -> Value {
          return inner.createOrFold<arith::IndexCastOp>(loc, type, index);
        };
        auto add = [&](Value lhs, Value rhs) -> Value {
          return arith::AddIOp::create(inner, loc, lhs, rhs, flags);
        };
        // Tensors are read in bounds only, so coordinates are clamped.
        auto clamp = [&](Value position, Value count) -> Value {
          if (!hasToExist)
            return position;
          Value last =
              arith::SubIOp::create(inner, loc, convert(count), number(1));
          return arith::MinUIOp::create(inner, loc, position, last);
        };
        Value q = add(convert(firstQuery), convert(at[0]));
        Value inView = add(convert(keys.firstKey), convert(at[1]));
        Value keep;
        if (test.checksEnd && !hasBitmap && !view.isFilled)
          keep = arith::CmpIOp::create(inner, loc,
                                       ends ? arith::CmpIPredicate::slt
                                            : arith::CmpIPredicate::ult,
                                       inView, convert(view.count));
        // The coordinate of element `position` of a strided view.
        auto strided = [&](Value position, int64_t stride,
                           OpFoldResult offset) -> Value {
          Value scaled = arith::MulIOp::create(inner, loc, position,
                                               number(stride), flags);
          return add(scaled, convert(getValueOrCreateConstantIndexOp(inner, loc,
                                                                     offset)));
        };
        Value k = view.isFilled ? inView : clamp(inView, view.count);
        if (view.stride != 1)
          k = strided(k, view.stride, view.offset);
        if (rowClass)
          q = strided(
              clamp(q, getValueOrCreateConstantIndexOp(inner, loc, classSize)),
              rowStride(), rowClass);
        else
          q = clamp(q, numQueries);
        SmallVector<PairCoordinate> coordinates{batch,
                                                head,
                                                {q, ends ? ends->first : 0},
                                                {k, ends ? ends->second : 0}};
        Value counts = emptyRows ? elements[1]
                       : hasBitmap
                           ? testBitmap(inner, elements.drop_front(), at[1])
                       : test.code ? test.code->keeps(inner, coordinates)
                                   : Value();
        if (counts)
          keep =
              keep ? arith::AndIOp::create(inner, loc, keep, counts).getResult()
                   : counts;
        if (test.isMasked && !view.earlier.empty()) {
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

//===----------------------------------------------------------------------===//
// The end of a row in the attention kernel. A row that is fully masked, or has
// only scores of -inf, has l = 0:
//
// - zero: its reciprocal is 0 where the row is stored;
// - nan: 0 / 0, or NaN written where a sink makes the sum 1;
// - mean, unmasked: a second mainloop over all keys for such rows alone.
//
// A sink that joins last is one more step of the online softmax, without a
// value.
//===----------------------------------------------------------------------===//

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
  State served = iterateAllKeys(state, empty);
  scf::YieldOp::create(body, loc, served.all());
  body.setInsertionPointToStart(&branch.getElseRegion().front());
  scf::YieldOp::create(body, loc, state.all());
  return {branch.getResult(0), branch.getResult(1), branch.getResult(2)};
}

AttentionEmitter::State AttentionEmitter::joinSink(State state, Value empty) {
  EmptyRows rows = op.getEmptyRows();
  Value logit = sink();
  // The mean of all values excludes the sink.
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

//===----------------------------------------------------------------------===//
// Split-KV: the keys of a row tile are shared among CTAs. Split p stores the
// state of the online softmax over its keys, m_p, l_p and acc_p; a second
// kernel combines them (Flash-Decoding; FlashAttention-2, section 3.1):
//
//   m   = max over p of m_p
//   l   = sum over p of l_p 2^(m_p - m)
//   acc = sum over p of acc_p 2^(m_p - m)
//
// Sinks and fully masked rows are left to the combine kernel.
//===----------------------------------------------------------------------===//

/// Indices of the row max and the row sum in the statistics buffer.
static constexpr int64_t rowMax = 0, rowSum = 1;
/// Dimensions of the buffers after batch, head, row tile and split.
static constexpr int64_t rowDim = 4, featureDim = 5, statisticsRowDim = 5;

AttentionPartials stof::allocatePartials(OpBuilder &host, AttentionOp op,
                                         const IRMapping &values) {
  int64_t splits = op.getSchedule() ? op.getSchedule()->getParts() : 1;
  if (splits == 1)
    return {};
  Location loc = op.getLoc();
  auto extent = [&](Value operand, unsigned dim) {
    return memref::getMixedSize(host, loc, values.lookup(operand), dim);
  };
  MLIRContext *context = host.getContext();
  AffineExpr tile =
      getAffineConstantExpr(tileOf(op, /*target=*/nullptr).queries, context);
  OpFoldResult rows = affine::makeComposedFoldedAffineMin(
      host, loc,
      AffineMap::get(0, 1, {getAffineSymbolExpr(0, context), tile}, context),
      {extent(op.getQuery(), AttentionOp::Position)});
  auto allocate = [&](OpFoldResult first, OpFoldResult second) -> Value {
    SmallVector<OpFoldResult> sizes{extent(op.getQuery(), AttentionOp::Batch),
                                    extent(op.getQuery(), AttentionOp::Head),
                                    countTilesAhead(host, op, values),
                                    host.getIndexAttr(splits),
                                    first,
                                    second};
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    return memref::AllocOp::create(
        host, loc, MemRefType::get(shape, host.getF32Type()), dynamic);
  };
  Value accumulators =
      allocate(rows, extent(op.getValue(), AttentionOp::Feature));
  return {accumulators, allocate(host.getIndexAttr(2), rows)};
}

void AttentionEmitter::storeSplit(State state) {
  Value none = kernel.index(0);
  tile::StoreOp::create(
      body, loc, state.accumulator, kernel.getArgument(partials.accumulators),
      ValueRange{batch, head, numberAhead, split->number, none, firstFeature},
      body.getDenseI64ArrayAttr({rowDim, featureDim}));
  for (auto [which, values] :
       {std::pair(rowMax, state.max), std::pair(rowSum, state.sum)})
    tile::StoreOp::create(body, loc, values, kernel.getArgument(partials.rows),
                          ValueRange{batch, head, numberAhead, split->number,
                                     kernel.index(which), none},
                          body.getDenseI64ArrayAttr({statisticsRowDim}));
}

AttentionEmitter::State AttentionEmitter::combineSplits(State state) {
  Value none = kernel.index(0);
  Value accumulators = kernel.getArgument(partials.accumulators);
  Value rows = kernel.getArgument(partials.rows);
  std::array<Value, 2> which{kernel.index(rowMax), kernel.index(rowSum)};
  Value one = kernel.index(1), count = kernel.index(numSplits());
  auto loop = scf::ForOp::create(
      body, loc, none, count, one, state.all(),
      [&](OpBuilder &builder, Location, Value number, ValueRange carried) {
        auto loadRows = [&](Value statistic) -> Value {
          return tile::LoadOp::create(
              builder, loc, rowType, rows,
              ValueRange{batch, head, numberAhead, number, statistic, none},
              builder.getDenseI64ArrayAttr({statisticsRowDim}));
        };
        Value max = loadRows(which[rowMax]), sum = loadRows(which[rowSum]);
        Value accumulator = tile::LoadOp::create(
            builder, loc, carried[2].getType(), accumulators,
            ValueRange{batch, head, numberAhead, number, none, firstFeature},
            builder.getDenseI64ArrayAttr({rowDim, featureDim}));
        auto row = tile::MapOp::create(
            builder, loc, TypeRange{rowType, rowType, rowType},
            ValueRange{carried[0], max},
            [&](OpBuilder &inner, Location, ValueRange, ValueRange in) {
              Value both = arith::MaxNumFOp::create(inner, loc, in[0], in[1]);
              return SmallVector<Value>{both, power(inner, in[0], both),
                                        power(inner, in[1], both)};
            });
        Value fade = row.getResult(1), weight = row.getResult(2);
        auto add = [&](OpBuilder &inner, ValueRange in) -> Value {
          Value more = arith::MulFOp::create(inner, loc, in[2], in[3]);
          return math::FmaOp::create(inner, loc, in[0], in[1], more);
        };
        auto combine = [&](Value before, Value found) -> Value {
          return map(builder, before.getType(), {before, fade, found, weight},
                     [&](OpBuilder &inner, ValueRange, ValueRange in) {
                       return add(inner, in);
                     });
        };
        scf::YieldOp::create(builder, loc,
                             ValueRange{row.getResult(0),
                                        combine(carried[1], sum),
                                        combine(carried[2], accumulator)});
      });
  return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
}

LogicalResult AttentionEmitter::emitMerge() {
  kernel.setSchedule("merge", {{"queries", tile.queries},
                               {"value_features", tile.valueFeatures},
                               {"parts", numSplits()}});
  numQueries = size(op.getQuery(), AttentionOp::Position);
  rowTile = numberAhead = kernel.getBlockId(gpu::Dimension::x);
  takeHead(kernel.getBlockId(gpu::Dimension::y));
  batch = kernel.getBlockId(gpu::Dimension::z);
  reverseRowTile();
  bindArguments();
  bindQueryTile();
  store(finishRows(combineSplits(initialState())));
  OpBuilder &host = kernel.host();
  auto extent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, hostValues.lookup(op.getQuery()),
                                dim);
  };
  return kernel.launch({countTilesAhead(host, op, hostValues), countHeads(),
                        extent(AttentionOp::Batch)});
}

LogicalResult stof::emitMergeKernel(KernelBuilder &kernel, AttentionOp op,
                                    const IRMapping &values, ValueRange results,
                                    const AttentionPartials &partials,
                                    const TargetInfo *target) {
  return AttentionEmitter(kernel, op, values, results, partials, target)
      .emitMerge();
}

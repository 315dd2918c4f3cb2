//===----------------------------------------------------------------------===//
// Split-KV: partial results, and their combination.
//===----------------------------------------------------------------------===//

#include "SplitKV.h"
#include "stof/Support/WarpShape.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

/// Indices of the row max and the row sum in the buffer of rows.
static constexpr int64_t rowMax = 0, rowSum = 1;
/// Dimensions of the buffers after batch, head, row tile and split.
static constexpr int64_t rowDim = 4, featureDim = 5, statisticsRowDim = 5;

/// The splits that a step of the combine kernel loads: as many as a thread has
/// registers for.
static int64_t countSplitsPerStep(const AttentionTile &tile) {
  constexpr int64_t most = 16, registers = 128;
  int64_t elements =
      tile.queries * tile.valueFeatures / (tile.warps * lanesPerWarp);
  return std::clamp<int64_t>(registers / std::max<int64_t>(elements, 1), 1,
                             most);
}

AttentionPartials stof::allocatePartials(OpBuilder &host, AttentionOp op) {
  int64_t splits = op.getSchedule() ? op.getSchedule()->getSplits() : 1;
  if (splits == 1)
    return {};
  Location loc = op.getLoc();
  auto extent = [&](Value operand, unsigned dim) {
    return sizeOf(host, loc, operand, dim);
  };
  MLIRContext *context = host.getContext();
  AffineExpr tile = getAffineConstantExpr(
      getKernelTile(op, /*target=*/nullptr).queries, context);
  OpFoldResult rows = affine::makeComposedFoldedAffineMin(
      host, loc,
      AffineMap::get(0, 1, {getAffineSymbolExpr(0, context), tile}, context),
      {extent(op.getQuery(), AttentionOp::Position)});
  auto allocate = [&](OpFoldResult first, OpFoldResult second) -> Value {
    SmallVector<OpFoldResult> sizes{extent(op.getQuery(), AttentionOp::Batch),
                                    extent(op.getQuery(), AttentionOp::Head),
                                    countTilesAhead(host, op),
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

void SplitKV::store(const SoftmaxState &state) const {
  KernelBuilder &kernel = context.kernel;
  OpBuilder &body = kernel.body();
  Value zero = kernel.index(0), split = cta.split->number;
  tile::StoreOp::create(body, loc, state.accumulator,
                        kernel.getArgument(partials.accumulators),
                        ValueRange{cta.row.batch, cta.row.head, cta.numberAhead,
                                   split, zero, cta.firstFeature},
                        body.getDenseI64ArrayAttr({rowDim, featureDim}));
  for (auto [statistic, values] :
       {std::pair(rowMax, state.max), std::pair(rowSum, state.sum)})
    tile::StoreOp::create(body, loc, values, kernel.getArgument(partials.rows),
                          ValueRange{cta.row.batch, cta.row.head,
                                     cta.numberAhead, split,
                                     kernel.index(statistic), zero},
                          body.getDenseI64ArrayAttr({statisticsRowDim}));
}

SoftmaxState SplitKV::combine(const OnlineSoftmax &softmax,
                              const SoftmaxState &state) const {
  KernelBuilder &kernel = context.kernel;
  Value zero = kernel.index(0);
  Value accumulators = kernel.getArgument(partials.accumulators);
  Value rows = kernel.getArgument(partials.rows);
  Value max = kernel.index(rowMax), sum = kernel.index(rowSum);
  int64_t splits = context.getNumSplits();
  int64_t perStep = countSplitsPerStep(context.tile);
  auto load = [&](OpBuilder &builder, Value split) -> SoftmaxState {
    auto loadRows = [&](Value statistic) -> Value {
      return tile::LoadOp::create(
          builder, loc, context.getRowType(), rows,
          ValueRange{cta.row.batch, cta.row.head, cta.numberAhead, split,
                     statistic, zero},
          builder.getDenseI64ArrayAttr({statisticsRowDim}));
    };
    Value splitMax = loadRows(max), splitSum = loadRows(sum);
    Value accumulator = tile::LoadOp::create(
        builder, loc, state.accumulator.getType(), accumulators,
        ValueRange{cta.row.batch, cta.row.head, cta.numberAhead, split, zero,
                   cta.firstFeature},
        builder.getDenseI64ArrayAttr({rowDim, featureDim}));
    return {splitMax, splitSum, accumulator};
  };
  // All loads of a step come before the first use.
  auto combineFrom = [&](OpBuilder &builder, Value first, int64_t count,
                         SoftmaxState combined) {
    SmallVector<SoftmaxState> loaded;
    for (int64_t number = 0; number < count; ++number) {
      Value distance = arith::ConstantIndexOp::create(builder, loc, number);
      loaded.push_back(load(
          builder, builder.createOrFold<arith::AddIOp>(loc, first, distance)));
    }
    for (const SoftmaxState &split : loaded)
      combined = softmax.combine(builder, combined, split);
    return combined;
  };
  int64_t whole = splits / perStep * perStep;
  SoftmaxState combined = state;
  if (whole > 0) {
    auto loop = scf::ForOp::create(
        kernel.body(), loc, zero, kernel.index(whole), kernel.index(perStep),
        state.getValues(),
        [&](OpBuilder &builder, Location, Value first, ValueRange carried) {
          SoftmaxState next =
              combineFrom(builder, first, perStep, SoftmaxState::get(carried));
          scf::YieldOp::create(builder, loc, next.getValues());
        });
    combined = SoftmaxState::get(loop.getResults());
  }
  return combineFrom(kernel.body(), kernel.index(whole), splits - whole,
                     combined);
}

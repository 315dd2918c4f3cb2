//===----------------------------------------------------------------------===//
// Split-KV: partial results, and their combination.
//===----------------------------------------------------------------------===//

#include "SplitKV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

/// Indices of the row max and the row sum in the buffer of rows.
static constexpr int64_t rowMax = 0, rowSum = 1;
/// Dimensions of the buffers after batch, head, row tile and split.
static constexpr int64_t rowDim = 4, featureDim = 5, statisticsRowDim = 5;

AttentionPartials stof::allocatePartials(OpBuilder &host, AttentionOp op) {
  int64_t splits = op.getSchedule() ? op.getSchedule()->getSplits() : 1;
  if (splits == 1)
    return {};
  Location loc = op.getLoc();
  auto extent = [&](Value operand, unsigned dim) {
    return memref::getMixedSize(host, loc, operand, dim);
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
  Value one = kernel.index(1), count = kernel.index(context.getNumSplits());
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
  auto loop = scf::ForOp::create(
      kernel.body(), loc, zero, count, one, state.getValues(),
      [&](OpBuilder &builder, Location, Value split, ValueRange carried) {
        SoftmaxState combined = softmax.combine(
            builder, SoftmaxState::get(carried), load(builder, split));
        scf::YieldOp::create(builder, loc, combined.getValues());
      });
  return SoftmaxState::get(loop.getResults());
}

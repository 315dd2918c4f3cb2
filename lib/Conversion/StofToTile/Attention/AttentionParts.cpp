//===----------------------------------------------------------------------===//
// Row tiles whose keys are cut into parts, a thread block for each. A part p
// leaves what the online softmax carries, m_p, l_p and acc_p, as if it were all
// there is; a second kernel merges them (Flash-Decoding; FlashAttention-2,
// section 3.1):
//
//   m   = max over p of m_p
//   l   = sum over p of l_p 2^(m_p - m)
//   acc = sum over p of acc_p 2^(m_p - m)
//
// Sinks and rows without a key are the second kernel's.
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

/// Where the largest logits and the sums of weights are among rows.
static constexpr int64_t maxima = 0, sums = 1;
/// Dimensions of the buffers behind batch, head, row tile and part.
static constexpr int64_t rowDim = 4, featureDim = 5, statisticsRowDim = 5;

AttentionPartials stof::allocatePartials(OpBuilder &host, AttentionOp op,
                                         const IRMapping &values) {
  int64_t parts = op.getSchedule() ? op.getSchedule()->getParts() : 1;
  if (parts == 1)
    return {};
  Location loc = op.getLoc();
  auto extent = [&](Value operand, unsigned dim) {
    return memref::getMixedSize(host, loc, values.lookup(operand), dim);
  };
  MLIRContext *context = host.getContext();
  AffineExpr tile =
      getAffineConstantExpr(tileOf(op, /*chip=*/"").queries, context);
  OpFoldResult rows = affine::makeComposedFoldedAffineMin(
      host, loc,
      AffineMap::get(0, 1, {getAffineSymbolExpr(0, context), tile}, context),
      {extent(op.getQuery(), AttentionOp::position)});
  auto allocate = [&](OpFoldResult first, OpFoldResult second) -> Value {
    SmallVector<OpFoldResult> sizes{extent(op.getQuery(), AttentionOp::batch),
                                    extent(op.getQuery(), AttentionOp::head),
                                    countTilesAhead(host, op, values),
                                    host.getIndexAttr(parts),
                                    first,
                                    second};
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    return memref::AllocOp::create(
        host, loc, MemRefType::get(shape, host.getF32Type()), dynamic);
  };
  Value accumulators =
      allocate(rows, extent(op.getValue(), AttentionOp::feature));
  return {accumulators, allocate(host.getIndexAttr(2), rows)};
}

void AttentionEmitter::storePart(State state) {
  Value none = kernel.index(0);
  tile::StoreOp::create(
      body, loc, state.accumulator, kernel.getArgument(partials.accumulators),
      ValueRange{batch, head, numberAhead, part->number, none, firstFeature},
      body.getDenseI64ArrayAttr({rowDim, featureDim}));
  for (auto [which, values] :
       {std::pair(maxima, state.max), std::pair(sums, state.sum)})
    tile::StoreOp::create(body, loc, values, kernel.getArgument(partials.rows),
                          ValueRange{batch, head, numberAhead, part->number,
                                     kernel.index(which), none},
                          body.getDenseI64ArrayAttr({statisticsRowDim}));
}

AttentionEmitter::State AttentionEmitter::mergeParts(State state) {
  Value none = kernel.index(0);
  Value accumulators = kernel.getArgument(partials.accumulators);
  Value rows = kernel.getArgument(partials.rows);
  std::array<Value, 2> which{kernel.index(maxima), kernel.index(sums)};
  Value one = kernel.index(1), count = kernel.index(numParts());
  auto loop = scf::ForOp::create(
      body, loc, none, count, one, state.all(),
      [&](OpBuilder &builder, Location, Value number, ValueRange carried) {
        auto loadRows = [&](Value statistic) -> Value {
          return tile::LoadOp::create(
              builder, loc, rowType, rows,
              ValueRange{batch, head, numberAhead, number, statistic, none},
              builder.getDenseI64ArrayAttr({statisticsRowDim}));
        };
        Value max = loadRows(which[maxima]), sum = loadRows(which[sums]);
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
        auto merge = [&](Value before, Value found) -> Value {
          return map(builder, before.getType(), {before, fade, found, weight},
                     [&](OpBuilder &inner, ValueRange, ValueRange in) {
                       return add(inner, in);
                     });
        };
        scf::YieldOp::create(builder, loc,
                             ValueRange{row.getResult(0),
                                        merge(carried[1], sum),
                                        merge(carried[2], accumulator)});
      });
  return {loop.getResult(0), loop.getResult(1), loop.getResult(2)};
}

LogicalResult AttentionEmitter::emitMerge() {
  kernel.setSchedule("merge", {{"queries", tile.queries},
                               {"value_features", tile.valueFeatures},
                               {"parts", numParts()}});
  numQueries = size(op.getQuery(), AttentionOp::position);
  rowTile = numberAhead = kernel.getBlockId(gpu::Dimension::x);
  takeHead(kernel.getBlockId(gpu::Dimension::y));
  batch = kernel.getBlockId(gpu::Dimension::z);
  reverseRowTile();
  bindArguments();
  bindQueryTile();
  store(finishRows(mergeParts(initialState())));
  OpBuilder &host = kernel.host();
  auto extent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, hostValues.lookup(op.getQuery()),
                                dim);
  };
  return kernel.launch({countTilesAhead(host, op, hostValues), countHeads(),
                        extent(AttentionOp::batch)});
}

LogicalResult stof::emitMergeKernel(KernelBuilder &kernel, AttentionOp op,
                                    const IRMapping &values, ValueRange results,
                                    const AttentionPartials &partials,
                                    StringRef chip) {
  return AttentionEmitter(kernel, op, values, results, partials, chip)
      .emitMerge();
}

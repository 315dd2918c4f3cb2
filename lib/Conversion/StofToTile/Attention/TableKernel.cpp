//===----------------------------------------------------------------------===//
// Lists the tiles of a mask, in two kernels. In the first a warp evaluates the
// mask at all positions of one tile that may be partial:
//
//   for each query i of the tile, for the keys j of a lane:
//     found |= mask(i, j) ? unmasked : masked
//   flags[row tile, key tile] = found, of all lanes
//
// In the second a CTA iterates over the flags of a row tile, once for either
// kind of tiles:
//
//   n = 0
//   for each key tile j:
//     if flags[j] is both: entries[base + n++] = 2 j + 1
//   full = n
//   for each key tile j:
//     if flags[j] is unmasked: entries[base + n++] = 2 j
//   ranges = (base, base + full, base + n)
//
// All threads of that CTA store the same values.
//===----------------------------------------------------------------------===//

#include "TableKernel.h"
#include "KeyTileIterator.h"
#include "MapElements.h"
#include "MaskCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

/// Key tiles per CTA of the flag kernel, one per warp.
static constexpr int64_t tilesPerCta = 8;
/// Flags of a tile: it has unmasked positions, it has masked ones.
static constexpr int64_t unmaskedFlag = 1, maskedFlag = 2;

namespace {

/// The common part of both kernels.
class TableEmitter {
public:
  TableEmitter(KernelBuilder &kernel, ListTilesOp op,
               const TableBuffers &buffers)
      : kernel(kernel), op(op), within(op.getWithin()), buffers(buffers),
        body(kernel.body()), loc(kernel.loc()) {}

  LogicalResult emitFlags();
  LogicalResult emitLists();

private:
  /// Binds batch and head to the last two dimensions of the grid.
  void bindHead() {
    row.batch = kernel.getBlockId(gpu::Dimension::z);
    row.head = kernel.getBlockId(gpu::Dimension::y);
  }
  /// Binds the tiles whose flags a CTA computes.
  void bindTiles();
  /// Stores the entries of the partial or of the full tiles of the row tile,
  /// from `first` on; returns the end of them.
  Value emitEntries(Value first, Value keyTiles, bool partial);
  /// The flags of a key tile of the row tile, over the positions of one lane.
  Value emitTile(OpBuilder &builder, const MaskCode &mask,
                 KeyTileIterator &iterator, Value keyTile, Value lane);
  /// The same of a tile that may be partial.
  Value evaluateTile(OpBuilder &builder, const MaskCode &mask, Value firstKey,
                     Value lane);
  /// The flags of one position. The query must be in bounds.
  Value evaluateAt(OpBuilder &builder, const MaskCode &mask, Value query,
                   Value key);
  void store(OpBuilder &builder, Value buffer, ValueRange position,
             Value value) {
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    Value narrow = arith::IndexCastOp::create(builder, loc, element, value);
    memref::StoreOp::create(builder, loc, narrow, buffer, position);
  }
  Value size(unsigned number) {
    return kernel.getSize(getAsOpFoldResult(op.getSizes()[number]));
  }
  Value flag(OpBuilder &builder, int64_t flags) {
    return arith::ConstantIntOp::create(builder, loc, flags, 32);
  }

  KernelBuilder &kernel;
  ListTilesOp op;
  LayoutAttr within;
  const TableBuffers &buffers;
  OpBuilder &body;
  Location loc;
  RowTile row;
  Value firstQuery, numQueries, numKeys;
  /// The number of key tiles of a row tile, and the first of a CTA.
  Value keyTiles, firstTile;
};

} // namespace

Value TableEmitter::evaluateAt(OpBuilder &builder, const MaskCode &mask,
                               Value query, Value key) {
  Value exists =
      arith::CmpIOp::create(builder, loc, CmpIPredicate::ult, key, numKeys);
  // Out-of-bounds keys are clamped to the last one for reads.
  Value last = arith::SubIOp::create(
      builder, loc, numKeys, arith::ConstantIndexOp::create(builder, loc, 1));
  Value clamped = arith::MinUIOp::create(builder, loc, key, last);
  std::optional<int64_t> queries = getConstantIntValue(numQueries),
                         keys = getConstantIntValue(numKeys);
  SmallVector<PairCoordinate> pair{row.batch, row.head, query, clamped};
  if (queries && keys && std::max(*queries, *keys) <= narrowLimit) {
    auto narrow = [&](Value position) -> Value {
      return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                        position);
    };
    pair[2] = {narrow(query), *queries};
    pair[3] = {narrow(clamped), *keys};
  }
  Value keeps =
      arith::AndIOp::create(builder, loc, exists, mask.keeps(builder, pair));
  return arith::SelectOp::create(builder, loc, keeps,
                                 flag(builder, unmaskedFlag),
                                 flag(builder, maskedFlag));
}

Value TableEmitter::evaluateTile(OpBuilder &builder, const MaskCode &mask,
                                 Value firstKey, Value lane) {
  auto index = [&](OpBuilder &inner, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(inner, loc, value);
  };
  Value rest = arith::SubIOp::create(builder, loc, numQueries, firstQuery);
  Value rows = arith::MinUIOp::create(builder, loc, rest,
                                      index(builder, within.getRowTile()));
  auto loop = scf::ForOp::create(
      builder, loc, index(builder, 0), rows, index(builder, 1),
      flag(builder, 0),
      [&](OpBuilder &inner, Location, Value at, ValueRange found) {
        Value query = arith::AddIOp::create(inner, loc, firstQuery, at);
        Value flags = found[0];
        for (int64_t first = 0; first < within.getColTile();
             first += lanesPerWarp) {
          Value inTile =
              arith::AddIOp::create(inner, loc, lane, index(inner, first));
          Value key = arith::AddIOp::create(inner, loc, firstKey, inTile);
          Value answer = evaluateAt(inner, mask, query, key);
          if (first + lanesPerWarp > within.getColTile()) {
            Value inBounds =
                arith::CmpIOp::create(inner, loc, CmpIPredicate::ult, inTile,
                                      index(inner, within.getColTile()));
            answer = arith::SelectOp::create(inner, loc, inBounds, answer,
                                             flag(inner, 0));
          }
          flags = arith::OrIOp::create(inner, loc, flags, answer);
        }
        scf::YieldOp::create(inner, loc, flags);
      });
  return loop.getResult(0);
}

Value TableEmitter::emitTile(OpBuilder &builder, const MaskCode &mask,
                             KeyTileIterator &iterator, Value keyTile,
                             Value lane) {
  Value firstKey = arith::MulIOp::create(
      builder, loc, keyTile,
      arith::ConstantIndexOp::create(builder, loc, within.getColTile()));
  Value exists = arith::CmpIOp::create(builder, loc, CmpIPredicate::ult,
                                       keyTile, keyTiles);
  Value visited = arith::AndIOp::create(builder, loc, exists,
                                        iterator.visits(builder, keyTile));
  Value partial = iterator.isPartial(builder, keyTile);
  Value evaluated;
  if (partial)
    evaluated = arith::AndIOp::create(builder, loc, visited, partial);
  Value full = flag(builder, unmaskedFlag), empty = flag(builder, 0);
  Value otherwise = arith::SelectOp::create(builder, loc, visited, full, empty);
  if (!evaluated)
    return otherwise;
  auto branch = scf::IfOp::create(
      builder, loc, evaluated,
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc,
                             evaluateTile(inner, mask, firstKey, lane));
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, otherwise);
      });
  return branch.getResult(0);
}

void TableEmitter::bindTiles() {
  numQueries = size(2);
  numKeys = size(3);
  bindHead();
  Value keyTile = kernel.index(within.getColTile());
  keyTiles = body.createOrFold<arith::CeilDivUIOp>(loc, numKeys, keyTile);
  Value tiles = kernel.index(tilesPerCta);
  Value ctas = body.createOrFold<arith::CeilDivUIOp>(loc, keyTiles, tiles);
  Value cta = kernel.getBlockId(gpu::Dimension::x);
  row.number = body.createOrFold<arith::DivUIOp>(loc, cta, ctas);
  firstTile = body.createOrFold<arith::MulIOp>(
      loc, body.createOrFold<arith::RemUIOp>(loc, cta, ctas), tiles);
  firstQuery = arith::MulIOp::create(body, loc, row.number,
                                     kernel.index(within.getRowTile()));
}

LogicalResult TableEmitter::emitFlags() {
  kernel.setSchedule("tile-flags", {{"queries", within.getRowTile()},
                                    {"keys", within.getColTile()},
                                    {"tiles", tilesPerCta}});
  MaskCode mask(kernel, op.getMask());
  bindTiles();
  auto operands = llvm::map_to_vector(op.getLayoutOperands(), [&](Value value) {
    return kernel.getArgument(value);
  });
  SmallVector<Value> symbols = readSymbols(body, loc, within, row, operands);
  KeyTileIterator iterator(body, loc, within.getVisited(), within.getPartial(),
                           row, keyTiles, symbols);
  // One warp per tile, whose lanes share the keys.
  auto layout = tile::BlockedAttr::get(body.getContext(), {1, 1},
                                       {1, lanesPerWarp}, {tilesPerCta, 1});
  auto type =
      tile::FragmentType::get(body.getContext(), {tilesPerCta, lanesPerWarp},
                              body.getI32Type(), layout);
  Value lanes = mapElements(
      body, loc, type, {}, [&](OpBuilder &builder, ValueRange at, ValueRange) {
        Value keyTile = arith::AddIOp::create(builder, loc, firstTile, at[0]);
        return emitTile(builder, mask, iterator, keyTile, at[1]);
      });
  Value found = tile::ReduceOp::create(
      body, loc, lanes, /*dim=*/1,
      [&](OpBuilder &inner, Location, Value lhs, Value rhs) -> Value {
        return arith::OrIOp::create(inner, loc, lhs, rhs);
      });
  auto flagsType = cast<tile::FragmentType>(found.getType())
                       .cloneWith(std::nullopt, body.getI8Type());
  Value flags = mapElements(
      body, loc, flagsType, found,
      [&](OpBuilder &inner, ValueRange, ValueRange in) -> Value {
        return arith::TruncIOp::create(inner, loc, inner.getI8Type(), in[0]);
      });
  tile::StoreOp::create(body, loc, flags, kernel.getArgument(buffers.flags),
                        ValueRange{row.batch, row.head, row.number, firstTile},
                        body.getDenseI64ArrayAttr({3}));
  OpBuilder &host = kernel.host();
  auto extent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, buffers.flags, dim);
  };
  OpFoldResult rowTiles = extent(2);
  OpFoldResult ctas =
      productOf(host, loc,
                ArrayRef{rowTiles, ceilDiv(host, loc, extent(3), tilesPerCta)});
  return kernel.launch({ctas, extent(1), extent(0)});
}

Value TableEmitter::emitEntries(Value first, Value keyTiles, bool partial) {
  Value flags = kernel.getArgument(buffers.flags);
  Value entries = kernel.getArgument(buffers.entries);
  return scf::ForOp::create(
             body, loc, kernel.index(0), keyTiles, kernel.index(1), first,
             [&](OpBuilder &builder, Location, Value tile, ValueRange carried) {
               Value byte = memref::LoadOp::create(
                   builder, loc, flags,
                   ValueRange{row.batch, row.head, row.number, tile});
               Value found = arith::ExtUIOp::create(builder, loc,
                                                    builder.getI32Type(), byte);
               Value kind = flag(builder, partial ? unmaskedFlag | maskedFlag
                                                  : unmaskedFlag);
               Value holds = arith::CmpIOp::create(
                   builder, loc, CmpIPredicate::eq, found, kind);
               // Each entry is stored once, so no barrier is needed.
               scf::IfOp::create(
                   builder, loc, holds, [&](OpBuilder &inner, Location) {
                     Value entry =
                         arith::AddIOp::create(inner, loc, tile, tile);
                     if (partial)
                       entry = arith::AddIOp::create(inner, loc, entry,
                                                     kernel.index(1));
                     store(inner, entries, carried[0], entry);
                     scf::YieldOp::create(inner, loc);
                   });
               Value count = arith::IndexCastUIOp::create(
                   builder, loc, builder.getIndexType(), holds);
               scf::YieldOp::create(
                   builder, loc,
                   arith::AddIOp::create(builder, loc, carried[0], count)
                       .getResult());
             })
      .getResult(0);
}

LogicalResult TableEmitter::emitLists() {
  kernel.setSchedule("tile-list", {});
  Value flags = kernel.getArgument(buffers.flags);
  Value ranges = kernel.getArgument(buffers.ranges);
  bindHead();
  row.number = kernel.getBlockId(gpu::Dimension::x);
  // Each row tile has capacity for all key tiles.
  auto extent = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(
        body, loc, memref::getMixedSize(body, loc, flags, dim));
  };
  Value keyTiles = extent(3), position = row.batch;
  for (auto [number, dim] : {std::pair(row.head, 1u), {row.number, 2u}}) {
    position = body.createOrFold<arith::MulIOp>(loc, position, extent(dim));
    position = body.createOrFold<arith::AddIOp>(loc, position, number);
  }
  Value base = body.createOrFold<arith::MulIOp>(loc, position, keyTiles);
  Value full = emitEntries(base, keyTiles, /*partial=*/true);
  Value end = emitEntries(full, keyTiles, /*partial=*/false);
  for (auto [number, position] : {std::pair(LayoutAttr::FirstPartial, base),
                                  {LayoutAttr::FirstFull, full},
                                  {LayoutAttr::EndOfRow, end}})
    store(body, ranges, {row.batch, row.head, row.number, kernel.index(number)},
          position);
  OpBuilder &host = kernel.host();
  auto hostExtent = [&](unsigned dim) {
    return memref::getMixedSize(host, loc, buffers.ranges, dim);
  };
  return kernel.launch({hostExtent(2), hostExtent(1), hostExtent(0)});
}

int64_t stof::flagWarps() { return tilesPerCta; }

LogicalResult stof::emitFlagKernel(KernelBuilder &kernel, ListTilesOp op,
                                   const TableBuffers &buffers) {
  if (failed(MaskCode::verify(op, op.getMask(), /*isEvaluated=*/true)))
    return failure();
  return TableEmitter(kernel, op, buffers).emitFlags();
}

LogicalResult stof::emitListKernel(KernelBuilder &kernel, ListTilesOp op,
                                   const TableBuffers &buffers) {
  return TableEmitter(kernel, op, buffers).emitLists();
}

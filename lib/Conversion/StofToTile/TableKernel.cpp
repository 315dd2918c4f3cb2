//===----------------------------------------------------------------------===//
// Lists the tiles of a mask. A block goes over the key tiles of one row tile in
// ascending order, asks the mask for every pair of those that may be partial,
// and writes down those that keep a pair:
//
//   n = 0
//   for each key tile j that `within` visits:
//     kept, dropped = any pair of the tile that is kept, dropped
//     if kept: entries[base + n] = 2 j + dropped, n += 1
//   ranges = (base, base + n)
//
// All threads write the same values.
//===----------------------------------------------------------------------===//

#include "TableKernel.h"
#include "LayoutWalk.h"
#include "MaskCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

/// Rows that a warp holds of a tile.
static constexpr int64_t rowsPerWarp = 16;

/// Keys that a warp holds of a tile come in multiples of this.
static constexpr int64_t keysOfWarp = 8;
/// A block has many warps: the loop is one chain of reads and answers.
static constexpr int64_t maxWarps = 16;

/// How warps divide the rows and the keys of a tile.
static std::pair<int64_t, int64_t> divideTile(LayoutAttr within) {
  int64_t byRows = within.getRowTile() / rowsPerWarp;
  int64_t byKeys = std::max<int64_t>(maxWarps / byRows, 1);
  while (byKeys > 1 && within.getColTile() % (keysOfWarp * byKeys) != 0)
    --byKeys;
  return {byRows, byKeys};
}

int64_t stof::tableWarps(ListTilesOp op) {
  // What is too small is refused before it is asked for.
  if (op.getWithin().getRowTile() < rowsPerWarp)
    return 1;
  auto [byRows, byKeys] = divideTile(op.getWithin());
  return byRows * byKeys;
}

namespace {

class TableEmitter {
public:
  TableEmitter(KernelBuilder &kernel, ListTilesOp op, const IRMapping &values,
               Value ranges, Value entries)
      : kernel(kernel), op(op), within(op.getWithin()), values(values),
        ranges(ranges), entries(entries), body(kernel.body()),
        loc(kernel.loc()), maskCode(kernel, op.getMask(), values) {}

  void emit();

private:
  /// Whether any pair of a tile is kept, and whether any is dropped.
  std::pair<Value, Value> ask(OpBuilder &builder, Value firstKey);
  void store(OpBuilder &builder, Value buffer, ValueRange position,
             Value value) {
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    Value narrow = arith::IndexCastOp::create(builder, loc, element, value);
    memref::StoreOp::create(builder, loc, narrow, buffer, position);
  }
  Value size(unsigned number) {
    return kernel.getSize(
        getAsOpFoldResult(values.lookup(op.getSizes()[number])));
  }

  KernelBuilder &kernel;
  ListTilesOp op;
  LayoutAttr within;
  const IRMapping &values;
  Value ranges, entries;
  OpBuilder &body;
  Location loc;
  MaskCode maskCode;
  RowTile row;
  Value firstQuery, numQueries, numKeys;
};

} // namespace

std::pair<Value, Value> TableEmitter::ask(OpBuilder &builder, Value firstKey) {
  auto [byRows, byKeys] = divideTile(within);
  auto layout = tile::MmaAttr::get(builder.getContext(), byRows, byKeys);
  auto flags = tile::FragmentType::get(
      builder.getContext(), {within.getRowTile(), within.getColTile()},
      builder.getI1Type(), layout);
  auto map = tile::MapOp::create(
      builder, loc, TypeRange{flags, flags}, ValueRange(),
      [&](OpBuilder &inner, Location, ValueRange at, ValueRange) {
        Value one = arith::ConstantIndexOp::create(inner, loc, 1);
        Value yes = arith::ConstantIntOp::create(inner, loc, 1, 1);
        auto exists = [&](Value position, Value count) -> Value {
          return arith::CmpIOp::create(inner, loc, CmpIPredicate::ult, position,
                                       count);
        };
        // Beyond the end the last position stands in.
        auto clamp = [&](Value position, Value count) -> Value {
          Value last = arith::SubIOp::create(inner, loc, count, one);
          return arith::MinUIOp::create(inner, loc, position, last);
        };
        Value query = arith::AddIOp::create(inner, loc, firstQuery, at[0]);
        Value key = arith::AddIOp::create(inner, loc, firstKey, at[1]);
        Value keeps = maskCode.keeps(inner, {row.batch, row.head,
                                             clamp(query, numQueries),
                                             clamp(key, numKeys)});
        keeps = arith::AndIOp::create(inner, loc, keeps, exists(key, numKeys));
        Value isRow = exists(query, numQueries);
        Value kept = arith::AndIOp::create(inner, loc, isRow, keeps);
        Value drops = arith::XOrIOp::create(inner, loc, keeps, yes);
        Value dropped = arith::AndIOp::create(inner, loc, isRow, drops);
        return SmallVector<Value>{kept, dropped};
      });
  return {tile::AnyOp::create(builder, loc, map.getResult(0)),
          tile::AnyOp::create(builder, loc, map.getResult(1))};
}

void TableEmitter::emit() {
  kernel.setSchedule("tile-list", {{"queries", within.getRowTile()},
                                   {"keys", within.getColTile()}});
  ranges = kernel.getArgument(ranges);
  entries = kernel.getArgument(entries);
  numQueries = size(2);
  numKeys = size(3);
  row = {kernel.getBlockId(gpu::Dimension::x),
         kernel.getBlockId(gpu::Dimension::z),
         kernel.getBlockId(gpu::Dimension::y)};
  firstQuery = arith::MulIOp::create(body, loc, row.number,
                                     kernel.index(within.getRowTile()));
  Value keyTiles = body.createOrFold<arith::CeilDivUIOp>(
      loc, numKeys, kernel.index(within.getColTile()));

  // Each row tile has room for all key tiles.
  auto extent = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(
        body, loc, memref::getMixedSize(body, loc, ranges, dim));
  };
  Value position = row.batch;
  for (auto [number, dim] : {std::pair(row.head, 1u), {row.number, 2u}}) {
    position = body.createOrFold<arith::MulIOp>(loc, position, extent(dim));
    position = body.createOrFold<arith::AddIOp>(loc, position, number);
  }
  Value base = body.createOrFold<arith::MulIOp>(loc, position, keyTiles);

  auto operands = llvm::map_to_vector(op.getLayoutOperands(), [&](Value value) {
    return kernel.getArgument(values.lookup(value));
  });
  SmallVector<Value> symbols = readSymbols(body, loc, within, row, operands);
  LayoutWalk walk(body, loc, within.getVisited(), within.getPartial(), row,
                  keyTiles, symbols);
  SmallVector<Value> inits{walk.getFirst(body), base};
  auto loop = scf::WhileOp::create(
      body, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value more = arith::CmpIOp::create(builder, loc, CmpIPredicate::slt,
                                           carried[0], walk.getEnd());
        scf::ConditionOp::create(builder, loc, more, carried);
      },
      [&](OpBuilder &builder, Location, ValueRange carried) {
        Value keyTile = carried[0];
        Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
        Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
        Value firstKey = arith::MulIOp::create(
            builder, loc, keyTile,
            arith::ConstantIndexOp::create(builder, loc, within.getColTile()));
        Value kept = yes, dropped = no;
        if (Value partial = walk.isPartial(builder, keyTile)) {
          auto branch = scf::IfOp::create(
              builder, loc, partial,
              [&](OpBuilder &inner, Location) {
                auto [any, other] = ask(inner, firstKey);
                scf::YieldOp::create(inner, loc, ValueRange{any, other});
              },
              [&](OpBuilder &inner, Location) {
                scf::YieldOp::create(inner, loc, ValueRange{yes, no});
              });
          kept = branch.getResult(0);
          dropped = branch.getResult(1);
        }
        auto toIndex = [&](Value flag) -> Value {
          return arith::IndexCastUIOp::create(builder, loc,
                                              builder.getIndexType(), flag);
        };
        Value twice = arith::AddIOp::create(builder, loc, keyTile, keyTile);
        Value entry =
            arith::AddIOp::create(builder, loc, twice, toIndex(dropped));
        // Each place is written once: threads need not wait for each other.
        scf::IfOp::create(builder, loc, kept, [&](OpBuilder &inner, Location) {
          store(inner, entries, carried[1], entry);
          scf::YieldOp::create(inner, loc);
        });
        Value next =
            arith::AddIOp::create(builder, loc, carried[1], toIndex(kept));
        scf::YieldOp::create(builder, loc,
                             ValueRange{walk.getNext(builder, keyTile), next});
      });
  Value zero = kernel.index(0), one = kernel.index(1);
  store(body, ranges, {row.batch, row.head, row.number, zero}, base);
  store(body, ranges, {row.batch, row.head, row.number, one},
        loop.getResult(1));
}

LogicalResult stof::emitTableKernel(KernelBuilder &kernel, ListTilesOp op,
                                    const IRMapping &values, Value ranges,
                                    Value entries) {
  if (!MaskCode::canEmit(op.getMask()))
    return op.emitOpError() << "cannot be compiled: expects a mask from "
                               "stof.mask or stof.block_mask";
  LayoutAttr within = op.getWithin();
  if (within.getRowTile() % rowsPerWarp != 0 ||
      within.getColTile() % rowsPerWarp != 0)
    return op.emitOpError()
           << "cannot be compiled: expects a layout in tiles of multiples of "
           << rowsPerWarp << ", but got " << within.getRowTile() << " x "
           << within.getColTile();
  TableEmitter(kernel, op, values, ranges, entries).emit();
  OpBuilder &host = kernel.host();
  kernel.launch({memref::getMixedSize(host, kernel.loc(), ranges, 2),
                 memref::getMixedSize(host, kernel.loc(), ranges, 1),
                 memref::getMixedSize(host, kernel.loc(), ranges, 0)});
  return success();
}

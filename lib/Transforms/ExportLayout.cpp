//===----------------------------------------------------------------------===//
// Exports the tiles of masks in the storage format of STOF (section 4.2.1).
//
//   1. The mask is evaluated over boxes of pairs to list the tiles that it
//      touches (Mask/TileTable.h).
//   2. Full and partial tiles become rows of compressed lists, and each partial
//      tile 64 words of 8 x 8 bits, without evaluating the inside of decided
//      boxes.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "stof/Mask/TileTable.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ToolOutputFile.h"

#define DEBUG_TYPE "stof-export-layout"

namespace stof {
#define GEN_PASS_DEF_EXPORTLAYOUTPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// The side lengths of outer and inner tiles.
static constexpr int64_t outerSide = 64;
static constexpr int64_t innerSide = 8;
/// The most tiles of the masks of one attention.
static constexpr int64_t maxTiles = int64_t(1) << 22;

namespace {

/// Compressed rows: row i is indices[pointers[i]] up to, but not including,
/// indices[pointers[i + 1]].
struct CompressedRows {
  llvm::json::Array pointers{0}, indices;

  void add(int64_t index) { indices.push_back(index); }
  void endRow() { pointers.push_back(int64_t(indices.size())); }
};

/// Creates the arrays of one batch and head.
class StorageWriter {
public:
  StorageWriter(MaskIntervalEvaluator &grid, int64_t queries, int64_t keys)
      : grid(grid), queries(queries), keys(keys) {}

  llvm::json::Object write(const TileTable &table);

private:
  uint64_t readBits(int64_t firstQuery, int64_t firstKey);
  void addBitmap(int64_t row, int64_t column);

  MaskIntervalEvaluator &grid;
  int64_t queries, keys;
  CompressedRows load, full, partial;
  llvm::json::Array bitmaps;
};

} // namespace

/// The bits of one inner tile, row by row from the lowest bit on. Out-of-bounds
/// positions are masked.
uint64_t StorageWriter::readBits(int64_t firstQuery, int64_t firstKey) {
  PairBox box{firstQuery, std::min(firstQuery + innerSide, queries), firstKey,
              std::min(firstKey + innerSide, keys)};
  uint64_t bits = 0;
  grid.visitKept(box, [&](const PairBox &kept) {
    for (int64_t query = kept.firstQuery; query < kept.endQuery; ++query)
      for (int64_t key = kept.firstKey; key < kept.endKey; ++key)
        bits |= uint64_t(1)
                << ((query - firstQuery) * innerSide + key - firstKey);
  });
  return bits;
}

void StorageWriter::addBitmap(int64_t row, int64_t column) {
  // Inner tiles are stored column by column.
  for (int64_t key = 0; key < outerSide; key += innerSide)
    for (int64_t query = 0; query < outerSide; query += innerSide)
      bitmaps.push_back(
          readBits(row * outerSide + query, column * outerSide + key));
}

llvm::json::Object StorageWriter::write(const TileTable &table) {
  for (auto [row, entries] : llvm::enumerate(table.entries)) {
    for (TileTable::Entry entry : entries) {
      int64_t column = uint32_t(entry) / 2;
      load.add(column);
      // Tiles with out-of-bounds queries are partial.
      bool isFull = entry % 2 == 0 && int64_t(row + 1) * outerSide <= queries;
      (isFull ? full : partial).add(column);
      if (!isFull)
        addBitmap(row, column);
    }
    for (CompressedRows *rows : {&load, &full, &partial})
      rows->endRow();
  }
  return llvm::json::Object{{"load_row_ptr", std::move(load.pointers)},
                            {"load_col_idx", std::move(load.indices)},
                            {"full_row_ptr", std::move(full.pointers)},
                            {"full_col_idx", std::move(full.indices)},
                            {"part_row_ptr", std::move(partial.pointers)},
                            {"part_col_idx", std::move(partial.indices)},
                            {"bitmap_mask", std::move(bitmaps)}};
}

/// The arrays of each mask of `op`; nothing, with the reason in `why`, if they
/// cannot be exported.
static std::optional<llvm::json::Array> exportMasks(AttentionOp op,
                                                    std::string &why) {
  MaskOpInterface mask = op.getMaskDefinition();
  if (!mask) {
    why = "its mask is not defined by a mask operation";
    return std::nullopt;
  }
  if (mask.getOrigin() == MaskOrigin::BlockList) {
    why = "its blocks are known at run time";
    return std::nullopt;
  }
  ShapedType query = op.getQueryType(), key = op.getKeyType();
  if (!query.hasStaticShape() || !key.hasStaticShape()) {
    why = "its sizes are known at run time";
    return std::nullopt;
  }
  MaskPredicate predicate(mask);
  ExprContext context(op.getContext());
  TensorElement elements(context);
  std::optional<MaskIntervalEvaluator> grid = MaskIntervalEvaluator::create(
      readMask(elements, predicate, op.getQuery(), op.getKey()), why);
  if (!grid)
    return std::nullopt;
  int64_t batches =
      grid->dependsOnBatch() ? query.getDimSize(AttentionOp::Batch) : 1;
  int64_t heads =
      grid->dependsOnHead() ? query.getDimSize(AttentionOp::Head) : 1;
  int64_t queries = query.getDimSize(AttentionOp::Position);
  int64_t keys = key.getDimSize(AttentionOp::Position);
  llvm::json::Array masks;
  int64_t room = maxTiles;
  BitmapPool shared({outerSide, outerSide});
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t head = 0; head < heads; ++head) {
      grid->setBatchAndHead(batch, head);
      std::optional<TileTable> table = tabulateTiles(
          *grid, queries, keys, {outerSide, outerSide}, {room}, shared, why);
      if (!table)
        return std::nullopt;
      room -= table->full + table->partial;
      llvm::json::Object arrays =
          StorageWriter(*grid, queries, keys).write(*table);
      arrays["batch"] = batch;
      arrays["head"] = head;
      masks.push_back(std::move(arrays));
    }
  return masks;
}

static std::string print(Location loc) {
  std::string text;
  llvm::raw_string_ostream(text) << loc;
  return text;
}

namespace {

struct ExportLayoutPass : stof::impl::ExportLayoutPassBase<ExportLayoutPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    llvm::json::Array attentions;
    getOperation()->walk([&](AttentionOp op) {
      if (op.getMask())
        attentions.push_back(describe(op));
    });
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> out = openOutputFile(file, &message);
    if (!out) {
      getOperation()->emitError() << "cannot export layouts: " << message;
      return signalPassFailure();
    }
    out->os() << llvm::formatv("{0:2}",
                               llvm::json::Value(llvm::json::Object{
                                   {"attentions", std::move(attentions)}}))
              << "\n";
    out->keep();
  }

private:
  static llvm::json::Object describe(AttentionOp op) {
    llvm::json::Object object{{"loc", print(op.getLoc())}};
    std::string why;
    if (std::optional<llvm::json::Array> masks = exportMasks(op, why)) {
      object["queries"] = op.getQueryType().getDimSize(AttentionOp::Position);
      object["keys"] = op.getKeyType().getDimSize(AttentionOp::Position);
      object["masks"] = std::move(*masks);
      return object;
    }
    object["missing"] = why;
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("ExportedLayout").category(DEBUG_TYPE))
        << remark::reason("{0}", why);
    return object;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Layouts of masks of captured constants: tile lists (Mask/TileTable.h) as
// constant tables.
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"
#include "stof/Mask/TileTable.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace stof;

/// The most tiles of a mask with tables.
static constexpr int64_t maxEntries = int64_t(1) << 22;
/// The most words of its bitmaps.
static constexpr size_t maxWords = size_t(1) << 24;
/// The most work of listing its tiles, a few seconds, if intervals bound them
/// as well or the predicate is so large that a kernel lists them faster.
static constexpr int64_t maxWork = int64_t(1) << 28;
/// The most work for masks of captured constants, whose tiles cannot be found
/// otherwise.
static constexpr int64_t maxConstantWork = maxWork << 4;

std::optional<LayoutPlan> stof::planTables(const MaskedAttention &attention,
                                           std::string &why) {
  std::optional<MaskIntervalEvaluator> grid =
      MaskIntervalEvaluator::create(attention.mask, why);
  if (!grid)
    return std::nullopt;
  TileShape shape = attention.shape;
  int64_t batches =
      grid->dependsOnBatch() ? attention.getQuerySize(AttentionOp::Batch) : 1;
  int64_t heads =
      grid->dependsOnHead() ? attention.getQuerySize(AttentionOp::Head) : 1;
  int64_t rows = attention.getQuerySize(AttentionOp::Position);
  int64_t keys = attention.getNumKeys();
  for (int64_t extent : {batches, heads, rows, keys})
    if (ShapedType::isDynamic(extent)) {
      why = "its sizes are known at run time";
      return std::nullopt;
    }
  int64_t rowTiles = llvm::divideCeil(rows, shape.queries);
  int64_t tilesOfMask = rowTiles * llvm::divideCeil(keys, shape.keys);
  bool isShort =
      !attention.set.isExact() && !attention.set.hasTooManyDisjuncts();
  TileCensus census;
  int64_t nonzeros = 0;
  SmallVector<int64_t> ranges;
  SmallVector<TileTable::Entry> entries;
  BitmapPool bitmaps(shape);
  // Equal rows share their entries.
  std::map<std::vector<TileTable::Entry>, int64_t> known;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t head = 0; head < heads; ++head) {
      grid->setBatchAndHead(batch, head);
      std::optional<TileTable> table =
          tabulateTiles(*grid, rows, keys, shape,
                        {maxEntries - int64_t(entries.size()), maxWords,
                         isShort ? maxConstantWork : maxWork},
                        bitmaps, why);
      if (!table)
        return std::nullopt;
      census.full += table->full;
      census.partial += table->partial;
      census.empty += tilesOfMask - table->full - table->partial;
      nonzeros += table->nonzeros;
      for (const std::vector<TileTable::Entry> &row : table->entries) {
        auto [it, isNew] = known.try_emplace(row, entries.size());
        if (isNew)
          llvm::append_range(entries, row);
        ranges.push_back(it->second);
        ranges.push_back(it->second + row.size());
      }
    }
  // The mainloop reads one entry ahead.
  entries.push_back(0);
  LayoutPlan plan;
  OpBuilder builder(attention.op);
  auto append = [&](ArrayRef<int64_t> extents, auto values) {
    auto type = RankedTensorType::get(
        extents, builder.getIntegerType(8 * sizeof(values.front())));
    plan.operands.push_back(
        arith::ConstantOp::create(builder, AttentionOp(attention.op).getLoc(),
                                  DenseIntElementsAttr::get(type, values)));
  };
  append({batches, heads, rowTiles, 2}, ArrayRef<int64_t>(ranges));
  append({int64_t(entries.size())}, ArrayRef<TileTable::Entry>(entries));
  // Tables must not be empty.
  if (bitmaps.size() == 0)
    bitmaps.add(bitmaps.make());
  append({bitmaps.size(), shape.queries, bitmaps.getWordsOfRow()},
         bitmaps.getWords());
  plan.rows = {rowTiles, [ranges](int64_t row) -> int64_t {
                 return ranges[2 * row + 1] - ranges[2 * row];
               }};
  plan.layout = LayoutAttr::get(
      builder.getContext(), shape.queries, shape.keys, LayoutStorage::Tables,
      /*visited=*/{}, /*partial=*/{}, /*lattices=*/{}, /*row_stride=*/1,
      /*residue=*/0, /*symbols=*/{},
      toDictionary(builder.getContext(), census, nonzeros));
  return plan;
}

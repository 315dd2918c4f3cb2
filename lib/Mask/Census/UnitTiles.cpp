//===----------------------------------------------------------------------===//
// Counts of large tiles from small ones.
//===----------------------------------------------------------------------===//

#include "stof/Mask/Census/UnitTiles.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

std::optional<UnitTiles> UnitTiles::list(MaskIntervalEvaluator &grid,
                                         int64_t queries, int64_t keys,
                                         TileShape unit,
                                         const TileTableLimits &limits,
                                         std::string &why) {
  BitmapPool bitmaps(unit);
  std::optional<TileTable> table =
      tabulateTiles(grid, queries, keys, unit, limits, bitmaps, why);
  if (!table)
    return std::nullopt;
  int64_t words = unit.queries * bitmaps.getWordsOfRow();
  std::vector<int64_t> kept;
  for (int64_t number = 0; number < bitmaps.size(); ++number) {
    int64_t bits = 0;
    for (int32_t word : bitmaps.getWords().slice(number * words, words))
      bits += llvm::popcount(uint32_t(word));
    kept.push_back(bits);
  }
  UnitTiles tiles;
  tiles.unit = unit;
  tiles.numColumns = llvm::divideCeil(keys, unit.keys);
  tiles.numTiles = table->full + table->partial;
  tiles.nonzeros = table->nonzeros;
  for (auto [row, entries] : llvm::enumerate(table->entries)) {
    int64_t height =
        std::min<int64_t>(unit.queries, queries - row * unit.queries);
    std::vector<Unit> &units = tiles.rows.emplace_back();
    units.reserve(entries.size());
    for (TileTable::Entry entry : entries) {
      int64_t column = uint32_t(entry) / 2;
      int64_t width = std::min(unit.keys, keys - column * unit.keys);
      // The entry of a tile with out-of-bounds keys has a bitmap even if the
      // tile is full.
      bool hasBitmap = entry % 2 != 0;
      units.push_back(
          {column, !hasBitmap || kept[entry >> 32] == height * width});
    }
  }
  return tiles;
}

UnitTiles::Counts UnitTiles::count(TileShape shape) const {
  assert(shape.queries % unit.queries == 0 && shape.keys % unit.keys == 0 &&
         "expects whole units");
  int64_t height = shape.queries / unit.queries, width = shape.keys / unit.keys;
  int64_t numRows = rows.size();
  int64_t rowTiles = llvm::divideCeil(numRows, height),
          keyTiles = llvm::divideCeil(numColumns, width);
  Counts counts;
  counts.lengths.reserve(rowTiles);
  for (int64_t first = 0; first < numRows; first += height) {
    int64_t end = std::min(first + height, numRows), length = 0;
    std::vector<int64_t> touched(keyTiles), full(keyTiles);
    for (int64_t row = first; row < end; ++row)
      for (Unit one : rows[row]) {
        ++touched[one.column / width];
        full[one.column / width] += one.isFull;
      }
    for (int64_t tile = 0; tile < keyTiles; ++tile) {
      if (touched[tile] == 0)
        continue;
      ++length;
      int64_t columns = std::min(width, numColumns - tile * width);
      if (full[tile] == (end - first) * columns)
        ++counts.census.full;
      else
        ++counts.census.partial;
    }
    counts.lengths.push_back(length);
    counts.census.longest = std::max(counts.census.longest, length);
  }
  counts.census.empty =
      rowTiles * keyTiles - counts.census.full - counts.census.partial;
  return counts;
}

//===----------------------------------------------------------------------===//
// Tile lists from interval arithmetic: boxes of tiles are halved until they are
// decided or consist of a single tile.
//===----------------------------------------------------------------------===//

#include "stof/Mask/TileTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

namespace {
class Tabulation {
public:
  Tabulation(MaskIntervalEvaluator &grid, int64_t queries, int64_t keys,
             TileShape shape, const TileTableLimits &limits,
             BitmapPool &bitmaps)
      : grid(grid), queries(queries), keys(keys), shape(shape), limits(limits),
        bitmaps(bitmaps) {}

  bool run(TileTable &result) {
    PairBox tiles{0, int64_t(llvm::divideCeil(queries, shape.queries)), 0,
                  int64_t(llvm::divideCeil(keys, shape.keys))};
    table.entries.resize(tiles.endQuery);
    if (!visit(tiles))
      return false;
    for (std::vector<TileTable::Entry> &row : table.entries)
      llvm::sort(row, [](TileTable::Entry lhs, TileTable::Entry rhs) {
        return uint32_t(lhs) < uint32_t(rhs);
      });
    result = std::move(table);
    return true;
  }

  /// Partial tiles are counted with all of their positions.
  bool takesTooLong() const {
    return grid.getWork() + table.partial * shape.queries * shape.keys >
           limits.work;
  }

private:
  /// The pairs of a box of tiles.
  PairBox pairsOf(const PairBox &tiles) const {
    return {tiles.firstQuery * shape.queries,
            std::min(tiles.endQuery * shape.queries, queries),
            tiles.firstKey * shape.keys,
            std::min(tiles.endKey * shape.keys, keys)};
  }

  void addFull(int64_t row, int64_t column) {
    PairBox box = pairsOf({row, row + 1, column, column + 1});
    ++table.full;
    table.nonzeros += box.size();
    if (box.endKey - box.firstKey == shape.keys)
      return table.entries[row].push_back(2 * column);
    // Out-of-bounds keys are masked.
    std::vector<int32_t> bits = bitmaps.make();
    set(bits, box, box);
    append(row, column, bits);
  }

  /// Sets the bits of the pairs of `kept` in the bitmap of the tile `box`.
  void set(std::vector<int32_t> &bits, const PairBox &box,
           const PairBox &kept) const {
    for (int64_t query = kept.firstQuery; query < kept.endQuery; ++query)
      for (int64_t key = kept.firstKey; key < kept.endKey; ++key)
        bitmaps.set(bits, query - box.firstQuery, key - box.firstKey);
  }

  void append(int64_t row, int64_t column, const std::vector<int32_t> &bits) {
    table.entries[row].push_back((bitmaps.add(bits) << 32) | (2 * column + 1));
  }

  /// Adds the tile unless it is empty.
  void addIfTouched(int64_t row, int64_t column) {
    PairBox box = pairsOf({row, row + 1, column, column + 1});
    std::vector<int32_t> bits = bitmaps.make();
    int64_t kept = 0;
    grid.visitKept(box, [&](const PairBox &part) {
      kept += part.size();
      set(bits, box, part);
    });
    if (kept == 0)
      return;
    if (kept == box.size())
      return addFull(row, column);
    ++table.partial;
    table.nonzeros += kept;
    append(row, column, bits);
  }

  bool visit(const PairBox &tiles) {
    PairBox pairs = pairsOf(tiles);
    switch (grid.bound(pairs)) {
    case MaskIntervalEvaluator::Kept::None:
      return true;
    case MaskIntervalEvaluator::Kept::All:
      if (table.full + table.partial + tiles.size() > limits.tiles)
        return false;
      for (int64_t row = tiles.firstQuery; row < tiles.endQuery; ++row)
        for (int64_t column = tiles.firstKey; column < tiles.endKey; ++column)
          addFull(row, column);
      return true;
    case MaskIntervalEvaluator::Kept::Some:
      break;
    }
    if (tiles.size() > 1) {
      auto [first, second] = tiles.halve();
      return visit(first) && visit(second);
    }
    if (table.full + table.partial >= limits.tiles ||
        bitmaps.getWords().size() > limits.words || takesTooLong())
      return false;
    addIfTouched(tiles.firstQuery, tiles.firstKey);
    return true;
  }

  MaskIntervalEvaluator &grid;
  int64_t queries, keys;
  TileShape shape;
  const TileTableLimits &limits;
  BitmapPool &bitmaps;
  TileTable table;
};
} // namespace

int64_t BitmapPool::add(const std::vector<int32_t> &bitmap) {
  assert(static_cast<int64_t>(bitmap.size()) ==
             shape.queries * getWordsOfRow() &&
         "expects a bitmap of this shape");
  auto [it, isNew] = numbers.try_emplace(bitmap, numbers.size());
  if (isNew)
    llvm::append_range(words, bitmap);
  return it->second;
}

std::optional<TileTable>
stof::tabulateTiles(MaskIntervalEvaluator &grid, int64_t queries, int64_t keys,
                    TileShape shape, const TileTableLimits &limits,
                    BitmapPool &bitmaps, std::string &why) {
  TileTable table;
  Tabulation tabulation(grid, queries, keys, shape, limits, bitmaps);
  if (tabulation.run(table))
    return table;
  why = tabulation.takesTooLong() ? "it takes too long to list its tiles"
                                  : "it touches too many tiles to list them";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Boxes of tiles are halved until they are decided or one tile is left.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/TileTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

namespace {
class Tabulation {
public:
  Tabulation(MaskGrid &grid, int64_t queries, int64_t keys, TileShape shape,
             int64_t limit)
      : grid(grid), queries(queries), keys(keys), shape(shape), limit(limit) {}

  bool run(TileTable &result) {
    PairBox tiles{0, int64_t(llvm::divideCeil(queries, shape.queries)), 0,
                  int64_t(llvm::divideCeil(keys, shape.keys))};
    table.entries.resize(tiles.endQuery);
    if (!visit(tiles))
      return false;
    for (std::vector<int32_t> &row : table.entries)
      llvm::sort(row);
    result = std::move(table);
    return true;
  }

private:
  /// The pairs of a box of tiles.
  PairBox pairsOf(const PairBox &tiles) const {
    return {tiles.firstQuery * shape.queries,
            std::min(tiles.endQuery * shape.queries, queries),
            tiles.firstKey * shape.keys,
            std::min(tiles.endKey * shape.keys, keys)};
  }

  void add(int64_t row, int64_t column, int64_t kept) {
    PairBox box = pairsOf({row, row + 1, column, column + 1});
    bool isFull = kept == box.size();
    bool isPadded = (column + 1) * shape.keys > keys;
    table.entries[row].push_back(2 * column + (!isFull || isPadded));
    ++(isFull ? table.full : table.partial);
    table.nonzeros += kept;
  }

  bool visit(const PairBox &tiles) {
    PairBox pairs = pairsOf(tiles);
    switch (grid.bound(pairs)) {
    case MaskGrid::Kept::none:
      return true;
    case MaskGrid::Kept::all:
      if (table.full + table.partial + tiles.size() > limit)
        return false;
      for (int64_t row = tiles.firstQuery; row < tiles.endQuery; ++row)
        for (int64_t column = tiles.firstKey; column < tiles.endKey; ++column)
          add(row, column, pairsOf({row, row + 1, column, column + 1}).size());
      return true;
    case MaskGrid::Kept::some:
      break;
    }
    if (tiles.size() > 1) {
      auto [first, second] = tiles.halve();
      return visit(first) && visit(second);
    }
    if (int64_t kept = grid.count(pairs)) {
      if (table.full + table.partial >= limit)
        return false;
      add(tiles.firstQuery, tiles.firstKey, kept);
    }
    return true;
  }

  MaskGrid &grid;
  int64_t queries, keys;
  TileShape shape;
  int64_t limit;
  TileTable table;
};
} // namespace

std::optional<TileTable> stof::tabulateTiles(MaskGrid &grid, int64_t queries,
                                             int64_t keys, TileShape shape,
                                             int64_t limit) {
  TileTable table;
  if (!Tabulation(grid, queries, keys, shape, limit).run(table))
    return std::nullopt;
  return table;
}

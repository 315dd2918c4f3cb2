//===----------------------------------------------------------------------===//
// A tile that holds all columns of which something is computed together.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/HeldTile.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace stof;

/// The sums that a thread holds at most: a quarter of its registers, and less
/// where much else waits beside them.
static constexpr int64_t sumsPerThread = 64, fewerSums = 40;
static constexpr int64_t lanesPerWarp = 32;

int64_t HeldTile::getSums() const {
  return rows * columns / (lanesPerWarp * rowWarps * columnWarps);
}

llvm::SmallVector<HeldTile, 2>
stof::findHeldTiles(int64_t columns, int64_t products, bool isCrowded) {
  llvm::SmallVector<HeldTile, 2> tiles;
  for (int64_t sums : {isCrowded ? fewerSums : sumsPerThread, sumsPerThread})
    for (int64_t rows : {64, 32, 16})
      for (int64_t warps : {4, 8}) {
        HeldTile tile;
        tile.rows = rows;
        tile.rowWarps = std::min<int64_t>(rows / squareRows, 2);
        tile.columnWarps = warps / tile.rowWarps;
        tile.columns = llvm::alignTo(columns, squareColumns * tile.columnWarps);
        if (tile.getSums() * products > sums ||
            (!tiles.empty() && warps >= tiles.back().getNumWarps()))
          continue;
        tiles.push_back(tile);
      }
  return tiles;
}

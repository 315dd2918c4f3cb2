//===----------------------------------------------------------------------===//
// Enumeration of full-N tiles that fit in registers.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/FullNTile.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace stof;

/// Maximum of accumulators per thread: a quarter of its registers, and less if
/// the epilogue needs many others.
static constexpr int64_t maxAccumulators = 64, crowdedAccumulators = 40;

int64_t FullNTile::getAccumulators() const {
  assert(rowWarps > 0 && columnWarps > 0 && "expects warps along both sides");
  return rows * columns / (lanesPerWarp * rowWarps * columnWarps);
}

llvm::SmallVector<FullNTile, 2>
stof::findFullNTiles(int64_t columns, int64_t contractions, bool isCrowded) {
  assert(columns > 0 && contractions > 0 && "expects accumulators");
  llvm::SmallVector<FullNTile, 2> tiles;
  for (int64_t limit :
       {isCrowded ? crowdedAccumulators : maxAccumulators, maxAccumulators})
    for (int64_t rows : {64, 32, 16})
      for (int64_t warps : {4, 8}) {
        FullNTile tile;
        tile.rows = rows;
        tile.rowWarps = std::min<int64_t>(rows / mmaRows, 2);
        tile.columnWarps = warps / tile.rowWarps;
        tile.columns = llvm::alignTo(columns, mmaColumns * tile.columnWarps);
        if (tile.getAccumulators() * contractions > limit ||
            (!tiles.empty() && warps >= tiles.back().getNumWarps()))
          continue;
        tiles.push_back(tile);
      }
  return tiles;
}

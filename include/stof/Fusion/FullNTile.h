//===----------------------------------------------------------------------===//
// CTA tiles with all columns that the epilogue needs together.
//
// Accumulators stay in registers throughout the mainloop. Wider tiles have
// fewer rows and are shared by more warps.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_FULLNTILE_H
#define STOF_FUSION_FULLNTILE_H

#include "stof/Support/WarpShape.h"

#include "llvm/ADT/SmallVector.h"

namespace stof {

struct FullNTile {
  int64_t rows = 64, columns = 64;
  int64_t rowWarps = 2, columnWarps = 2;

  int64_t getNumWarps() const { return rowWarps * columnWarps; }
  /// Accumulators of one contraction per thread.
  int64_t getAccumulators() const;
};

/// Tiles of at least `columns` columns for `contractions` contractions at once:
/// the one with the most rows and, if that takes 8 warps, one of 4 warps. Empty
/// if no tile fits in registers. `isCrowded` prefers fewer accumulators per
/// thread, for epilogues that move elements or reduce f32 ones.
llvm::SmallVector<FullNTile, 2>
findFullNTiles(int64_t columns, int64_t contractions, bool isCrowded);

} // namespace stof

#endif // STOF_FUSION_FULLNTILE_H

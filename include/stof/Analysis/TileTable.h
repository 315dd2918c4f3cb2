//===----------------------------------------------------------------------===//
// The tiles that a mask touches, listed: for masks of captured constants, whose
// tiles have no closed form.
//===----------------------------------------------------------------------===//

#ifndef STOF_ANALYSIS_TILETABLE_H
#define STOF_ANALYSIS_TILETABLE_H

#include "stof/Analysis/MaskGrid.h"
#include "stof/Analysis/TileIntervals.h"

namespace stof {

/// The tiles of one batch and head that a mask touches.
struct TileTable {
  /// For each row tile the key tiles in ascending order, each twice its number,
  /// plus one if it is partial.
  std::vector<std::vector<int32_t>> entries;
  int64_t full = 0, partial = 0, nonzeros = 0;
};

/// Finds the tiles of a mask over `queries` x `keys` pairs. Tiles that reach
/// beyond the last key are partial. Nothing if more than `limit` tiles are
/// touched.
std::optional<TileTable> tabulateTiles(MaskGrid &grid, int64_t queries,
                                       int64_t keys, TileShape shape,
                                       int64_t limit);

} // namespace stof

#endif // STOF_ANALYSIS_TILETABLE_H

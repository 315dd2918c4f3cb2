//===----------------------------------------------------------------------===//
// The numbers of full, partial and empty tiles of a mask and of its unmasked
// positions: sums over closed forms, in time independent of the lengths.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_CENSUS_TILECENSUS_H
#define STOF_MASK_CENSUS_TILECENSUS_H

#include "stof/Mask/TileIntervals.h"

namespace stof {

/// Counts of one mask, not multiplied by the batches and heads that share it. A
/// tile is full if all of its in-bounds positions are unmasked.
struct TileCensus {
  int64_t full = 0, partial = 0, empty = 0;
  /// The most full and partial tiles of a row tile.
  int64_t longest = 0;

  /// Adds the tiles of other row tiles.
  TileCensus &operator+=(const TileCensus &other) {
    full += other.full;
    partial += other.partial;
    empty += other.empty;
    longest = std::max(longest, other.longest);
    return *this;
  }
};

/// Counts tiles: those in an interval of `visited` are partial if they are also
/// in one of `open`, else full; all others are empty.
TileCensus countTiles(llvm::ArrayRef<TileInterval> visited,
                      llvm::ArrayRef<TileInterval> open, int64_t rowTiles,
                      int64_t keyTiles, llvm::ArrayRef<int64_t> symbols);

/// The number of pairs of `set`, whose queries are 0 .. `queries`, for the
/// given values of its symbols; nothing if no closed form is found.
std::optional<int64_t> countPairs(const mlir::presburger::PresburgerSet &set,
                                  int64_t queries,
                                  llvm::ArrayRef<int64_t> symbols);

} // namespace stof

#endif // STOF_MASK_CENSUS_TILECENSUS_H

//===----------------------------------------------------------------------===//
// Which tiles of keys a row tile of queries touches, in closed form: for each
// convex piece of a mask the touched key tiles of row tile i are an interval
// whose ends are divisions of affine functions of i and the symbols. Found by
// projecting the positions inside a tile out (Fourier-Motzkin). Where that
// projection is not exact over the integers the intervals hold more tiles,
// which is said.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_TILEINTERVALS_H
#define STOF_MASK_TILEINTERVALS_H

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

#include <vector>

namespace stof {

/// The sides of a tile, in positions, and how far apart its positions lie:
/// column y of key tile j is the key offset + stride (keys j + y), and row x of
/// row tile i the query rowOffset + rowStride (queries i + x).
struct TileShape {
  int64_t queries, keys;
  int64_t stride = 1, offset = 0;
  int64_t rowStride = 1, rowOffset = 0;
};

/// The lattice of keys to which every pair of `piece` belongs, as (stride,
/// offset) with stride > 1, if an equality of the piece gives one.
std::optional<std::pair<int64_t, int64_t>>
findKeyLattice(const mlir::presburger::IntegerRelation &piece);

/// A stride and an offset below it such that every pair of `piece` has a
/// distance query - key of offset + a multiple of stride > 1, if an equality of
/// the piece gives them.
std::optional<std::pair<int64_t, int64_t>>
findDistanceLattice(const mlir::presburger::IntegerRelation &piece);

/// floor((c0 rowTile + c1 symbol1 + ... + constant) / divisor).
struct TileBound {
  /// Of the row tile, then of each symbol, then the constant.
  llvm::SmallVector<int64_t, 4> coefficients;
  int64_t divisor = 1;

  int64_t at(int64_t rowTile, llvm::ArrayRef<int64_t> symbols) const;
  bool operator==(const TileBound &other) const {
    return divisor == other.divisor && coefficients == other.coefficients;
  }
};

/// The key tiles j with every `lower` <= j < every `upper`, for row tiles for
/// which no guard is negative. Without a bound it reaches to the first or the
/// last key tile.
struct TileInterval {
  llvm::SmallVector<TileBound, 2> lower, upper, guards;

  /// The interval of one row tile, clamped to the key tiles 0 .. `keyTiles`;
  /// empty as (0, 0).
  std::pair<int64_t, int64_t> at(int64_t rowTile, int64_t keyTiles,
                                 llvm::ArrayRef<int64_t> symbols) const;
  bool operator==(const TileInterval &other) const {
    return lower == other.lower && upper == other.upper &&
           guards == other.guards;
  }
};

/// The columns of each row of a polyhedron over (row, column) and symbols.
TileInterval readInterval(const mlir::presburger::IntegerPolyhedron &tiles);

/// The keys of each query in a convex piece of a set of pairs, as an interval
/// with the query in place of the row tile; where the piece keeps one key out
/// of several, numbers that stand for them one to one. Nothing if there is no
/// such interval.
std::optional<TileInterval>
findKeysOfRow(const mlir::presburger::IntegerRelation &piece);

/// A union of intervals of key tiles.
struct TouchedTiles {
  std::vector<TileInterval> intervals;
  /// The same intervals over (row tile, key tile) and the symbols.
  std::vector<mlir::presburger::IntegerPolyhedron> polyhedra;
  /// Whether all of them hold a pair; else some may not.
  bool isExact = true;
};

/// The key tiles that hold a pair of `set`, for row tiles and key tiles inside
/// `domain`; nothing if numbers grow too large. Sets are over (query, key).
std::optional<TouchedTiles>
findTouchedTiles(const mlir::presburger::PresburgerSet &set,
                 const mlir::presburger::PresburgerSet &domain,
                 TileShape shape);

/// Drops the intervals of `tiles` that have no tile in common with `others`.
void dropDisjoint(TouchedTiles &tiles, const TouchedTiles &others);

/// The same union in fewer intervals, where the ends of two without guards
/// differ by constants that leave no gap.
std::vector<TileInterval>
mergeNeighbours(llvm::ArrayRef<TileInterval> intervals);

} // namespace stof

#endif // STOF_MASK_TILEINTERVALS_H

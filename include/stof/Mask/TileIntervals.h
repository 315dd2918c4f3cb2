//===----------------------------------------------------------------------===//
// The key tiles that a row tile touches, in closed form: for each convex
// disjunct of a mask, the touched key tiles of row tile i are an interval whose
// ends are divisions of affine functions of i and the symbols. The positions
// inside a tile are projected out (Fourier-Motzkin). If that projection is not
// exact over the integers, the intervals are supersets and marked as such.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_TILEINTERVALS_H
#define STOF_MASK_TILEINTERVALS_H

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

#include <vector>

namespace stof {

/// The side lengths of a tile, in positions, and the strides between these:
/// column y of key tile j is the key offset + stride (keys j + y), and row x of
/// row tile i the query rowOffset + rowStride (queries i + x).
struct TileShape {
  int64_t queries, keys;
  int64_t stride = 1, offset = 0;
  int64_t rowStride = 1, rowOffset = 0;
};

/// The lattice of the keys of `disjunct` as (stride, offset) with stride > 1,
/// if an equality of the disjunct defines one.
std::optional<std::pair<int64_t, int64_t>>
findKeyLattice(const mlir::presburger::IntegerRelation &disjunct);

/// The lattice of the distances query - key of `disjunct` as (stride, offset)
/// with 0 <= offset < stride and stride > 1, if an equality of the disjunct
/// defines one.
std::optional<std::pair<int64_t, int64_t>>
findDistanceLattice(const mlir::presburger::IntegerRelation &disjunct);

/// floor((c0 rowTile + c1 symbol1 + ... + constant) / divisor).
struct TileBound {
  /// The factors of the row tile and of each symbol, then the constant.
  llvm::SmallVector<int64_t, 4> coefficients;
  int64_t divisor = 1;

  int64_t at(int64_t rowTile, llvm::ArrayRef<int64_t> symbols) const;
  bool operator==(const TileBound &other) const {
    return divisor == other.divisor && coefficients == other.coefficients;
  }
};

/// The key tiles j with every `lower` <= j < every `upper`, for row tiles where
/// no guard is negative. Without a bound it extends to the first or the last
/// key tile.
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

/// The keys of each query in a convex disjunct of a set of pairs, as an
/// interval with the query for the row tile; for a lattice of keys, an interval
/// of the same size over the indices of its points. Nothing if there is no such
/// interval.
std::optional<TileInterval>
findKeysOfRow(const mlir::presburger::IntegerRelation &disjunct);

/// A union of intervals of key tiles.
struct TouchedTiles {
  std::vector<TileInterval> intervals;
  /// The same intervals over (row tile, key tile) and the symbols.
  std::vector<mlir::presburger::IntegerPolyhedron> polyhedra;
  /// Whether every tile holds a pair of the set; otherwise some may not.
  bool isExact = true;
};

/// The key tiles that hold a pair of `set`, for row tiles and key tiles inside
/// `domain`; nothing if numbers grow too large. Sets are over (query, key).
std::optional<TouchedTiles>
findTouchedTiles(const mlir::presburger::PresburgerSet &set,
                 const mlir::presburger::PresburgerSet &domain,
                 TileShape shape);

/// Removes the intervals of `tiles` that have no tile in common with `others`.
void dropDisjoint(TouchedTiles &tiles, const TouchedTiles &others);

/// The same union of the key tiles below `keyTiles`, which may be unknown, in
/// fewer intervals: merges those whose ends differ by constants and leave no
/// gap. Guards are dropped where the other interval has all of these tiles if
/// they fail.
std::vector<TileInterval>
mergeNeighbours(llvm::ArrayRef<TileInterval> intervals,
                const std::optional<TileBound> &keyTiles);

} // namespace stof

#endif // STOF_MASK_TILEINTERVALS_H

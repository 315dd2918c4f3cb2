//===----------------------------------------------------------------------===//
// Which tiles of keys a row tile of queries touches, in closed form: for each
// convex piece of a mask the touched key tiles of row tile i are an interval
// whose ends are divisions of affine functions of i and the symbols. Found by
// projecting the positions inside a tile out (Fourier-Motzkin), and only where
// that projection is exact over the integers.
//===----------------------------------------------------------------------===//

#ifndef STOF_ANALYSIS_TILEINTERVALS_H
#define STOF_ANALYSIS_TILEINTERVALS_H

#include "mlir/Analysis/Presburger/PresburgerRelation.h"

#include <vector>

namespace stof {

/// The sides of a tile, in positions.
struct TileShape {
  int64_t queries, keys;
};

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
};

/// The keys of each query in a convex piece of a set of pairs, as an interval
/// with the query in place of the row tile; where the piece keeps one key out
/// of several, numbers that stand for them one to one. Nothing if there is no
/// such interval.
std::optional<TileInterval>
findKeysOfRow(const mlir::presburger::IntegerRelation &piece);

/// The key tiles that hold a pair of `set`, a union of intervals, for row tiles
/// and key tiles inside `domain`; nothing if the projection is not exact. Sets
/// are over (query, key).
std::optional<std::vector<TileInterval>>
findTouchedTiles(const mlir::presburger::PresburgerSet &set,
                 const mlir::presburger::PresburgerSet &domain,
                 TileShape shape);

} // namespace stof

#endif // STOF_ANALYSIS_TILEINTERVALS_H

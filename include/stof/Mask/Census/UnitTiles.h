//===----------------------------------------------------------------------===//
// The tiles of a mask in several sizes, counted from a list of small ones: the
// mask itself is evaluated once.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_CENSUS_UNITTILES_H
#define STOF_MASK_CENSUS_UNITTILES_H

#include "stof/Mask/Census/TileCensus.h"
#include "stof/Mask/TileTable.h"

namespace stof {

/// The touched tiles of one batch and head.
class UnitTiles {
public:
  /// Lists tiles of `unit`; nothing, with the reason in `why`, beyond `limits`.
  static std::optional<UnitTiles>
  list(MaskIntervalEvaluator &grid, int64_t queries, int64_t keys,
       TileShape unit, const TileTableLimits &limits, std::string &why);

  struct Counts {
    TileCensus census;
    /// The number of key tiles of each row tile.
    std::vector<int64_t> lengths;
  };
  /// Counts tiles of `shape`, which consist of whole units.
  Counts count(TileShape shape) const;

  /// The number of listed tiles, and that of unmasked positions.
  int64_t size() const { return numTiles; }
  int64_t getNonzeros() const { return nonzeros; }

private:
  struct Unit {
    int64_t column;
    bool isFull;
  };

  TileShape unit;
  /// The number of columns of units.
  int64_t numColumns;
  std::vector<std::vector<Unit>> rows;
  int64_t numTiles, nonzeros;
};

} // namespace stof

#endif // STOF_MASK_CENSUS_UNITTILES_H

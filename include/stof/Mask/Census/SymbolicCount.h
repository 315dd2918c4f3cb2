//===----------------------------------------------------------------------===//
// The census of a mask whose lengths are known at run time only: how many tiles
// are full, partial and empty and how many pairs are kept, as expressions.
//
//   1. The tiles of a kind, or the pairs, are a union of convex sets over a row
//      and a column. They are counted by inclusion and exclusion.
//   2. The columns of a row in a convex set are an interval whose ends are the
//      least and the greatest of floors of affine functions of the row. The
//      rows are divided where another one becomes the least or the greatest.
//   3. On each part the number of columns is then mostly affine in the row, and
//      so its sum over the rows closed (Size/CountExpr.h).
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_CENSUS_SYMBOLICCOUNT_H
#define STOF_MASK_CENSUS_SYMBOLICCOUNT_H

#include "stof/Mask/TileIntervals.h"
#include "stof/Size/CountExpr.h"

namespace stof {

/// A symbol of sets: what counts call it, and whether it is a size, which is
/// below 2^31.
struct CountSymbol {
  std::string name;
  bool isSize = false;
  /// Why there is no count that depends on it, if so.
  std::string obstacle = "";
  /// The number of the operand of the layout that has its value, if one has.
  std::optional<unsigned> operand = std::nullopt;
};

class SymbolicCount {
public:
  using Tiles = std::vector<mlir::presburger::IntegerPolyhedron>;

  explicit SymbolicCount(llvm::ArrayRef<CountSymbol> symbols)
      : symbols(symbols) {}

  /// How many (row, column) lie in one of `tiles`, or in one of each of two
  /// lists; nothing if that has no expression.
  std::optional<CountExpr> countUnion(const Tiles &tiles);
  std::optional<CountExpr> countCommon(const Tiles &lhs, const Tiles &rhs);

  /// The number of pairs (query, key) of `set`.
  std::optional<CountExpr>
  countPairs(const mlir::presburger::PresburgerSet &set);

  /// Why the last count that is not known is not.
  llvm::StringRef getObstacle() const { return obstacle; }

private:
  llvm::ArrayRef<CountSymbol> symbols;
  std::string obstacle;
};

} // namespace stof

#endif // STOF_MASK_CENSUS_SYMBOLICCOUNT_H

//===----------------------------------------------------------------------===//
// The census of a mask with dynamic lengths: the numbers of full, partial and
// empty tiles and of unmasked positions, as expressions.
//
//   1. The tiles of a kind, or the positions, are a union of convex sets over
//      rows and columns, counted by inclusion and exclusion.
//   2. The columns of a row in a convex set are an interval. Its ends are
//      minima and maxima of floors of affine functions of the row. The rows are
//      split where the minimum or maximum changes.
//   3. On each part the number of columns is then mostly affine in the row, so
//      its sum over the rows has a closed form (Size/CountExpr.h).
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_CENSUS_SYMBOLICCOUNT_H
#define STOF_MASK_CENSUS_SYMBOLICCOUNT_H

#include "stof/Mask/TileIntervals.h"
#include "stof/Size/CountExpr.h"

namespace stof {

/// A symbol of a set. `name` is its name in counts; sizes are below 2^31.
struct CountSymbol {
  std::string name;
  bool isSize = false;
  /// Why no count can depend on it; empty if counts can.
  std::string obstacle = "";
  /// The layout operand that holds its value, if any.
  std::optional<unsigned> operand = std::nullopt;
};

class SymbolicCount {
public:
  using Tiles = std::vector<mlir::presburger::IntegerPolyhedron>;

  explicit SymbolicCount(llvm::ArrayRef<CountSymbol> symbols)
      : symbols(symbols) {}

  /// The number of points (row, column) in the union of `tiles`, or in the
  /// intersection of two unions; nothing if there is no expression for it.
  std::optional<CountExpr> countUnion(const Tiles &tiles);
  std::optional<CountExpr> countCommon(const Tiles &lhs, const Tiles &rhs);

  /// The number of pairs (query, key) of `set`.
  std::optional<CountExpr>
  countPairs(const mlir::presburger::PresburgerSet &set);

  /// Why the last count without an expression has none.
  llvm::StringRef getObstacle() const { return obstacle; }

private:
  llvm::ArrayRef<CountSymbol> symbols;
  std::string obstacle;
};

} // namespace stof

#endif // STOF_MASK_CENSUS_SYMBOLICCOUNT_H

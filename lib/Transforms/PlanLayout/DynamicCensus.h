//===----------------------------------------------------------------------===//
// The census of a mask with symbols: expressions of its lengths and captures.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_DYNAMICCENSUS_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_DYNAMICCENSUS_H

#include "RowClasses.h"
#include "stof/Mask/Census/SymbolicCount.h"

namespace stof {

/// The tiles touched by the disjuncts of a mask on one lattice of keys.
struct LatticePart {
  TileShape shape;
  TouchedTiles visited;
};

/// Counts the tiles and unmasked positions of a mask.
class DynamicCensus {
public:
  /// `symbols` correspond to the symbols of the mask's set.
  DynamicCensus(const MaskedAttention &attention,
                llvm::ArrayRef<CountSymbol> symbols);

  /// Adds tiles of adjacent positions, partial where also in `masked`, and
  /// tiles of lattices.
  void addTiles(const TouchedTiles &visited, const TouchedTiles &masked,
                llvm::ArrayRef<LatticePart> lattices);
  /// Adds the tiles of all classes.
  void addClasses(const RowClasses &rows);

  /// The census attribute of a layout. Unknown counts are absent, with the
  /// reason in `unknown`; `symbols` has the operand of each captured number.
  mlir::DictionaryAttr toDictionary();

private:
  CountExpr getLength(const Expr *position) const;
  void add(const TouchedTiles &visited, const TouchedTiles &masked,
           TileShape shape);
  bool addTo(CountExpr &sum, std::optional<CountExpr> count);

  const MaskedAttention &attention;
  llvm::ArrayRef<CountSymbol> symbols;
  SymbolicCount counter;
  bool isKnown = false;
  std::string obstacle = "its tiles are not counted in closed form";
  CountExpr full, partial, empty;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_DYNAMICCENSUS_H

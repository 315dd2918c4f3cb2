//===----------------------------------------------------------------------===//
// The census of a mask with symbols: expressions of its lengths and of what it
// captures.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_DYNAMICCENSUS_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_DYNAMICCENSUS_H

#include "RowClasses.h"
#include "stof/Mask/Census/SymbolicCount.h"

namespace stof {

/// The pieces of a mask on one lattice of keys, and the tiles that they touch.
struct LatticePart {
  TileShape shape;
  TouchedTiles visited;
};

/// Adds up the tiles of a mask, and writes them down with its pairs.
class DynamicCensus {
public:
  /// `symbols` are those of the mask's set.
  DynamicCensus(const MaskedAttention &attention,
                llvm::ArrayRef<CountSymbol> symbols);

  /// Adds tiles of adjacent positions, those of `dropped` not full, and those
  /// of lattices.
  void addTiles(const TouchedTiles &visited, const TouchedTiles &dropped,
                llvm::ArrayRef<LatticePart> lattices);
  /// Adds the tiles of all classes.
  void addClasses(const RowClasses &rows);

  /// The counts as a layout holds them. What is not known is absent, and
  /// `unknown` says why; `symbols` has the operand for each captured number.
  mlir::DictionaryAttr toDictionary();

private:
  CountExpr getLength(const Expr *position) const;
  void add(const TouchedTiles &visited, const TouchedTiles &dropped,
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

//===----------------------------------------------------------------------===//
// Masks that keep one distance query - key out of several (a dilated window).
// The queries of one residue share pairs with the keys of one residue only: by
// themselves, each of these classes has a dense mask. Its tiles are projected
// with the residues as constants, so that every division by the stride is
// exact.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_ROWCLASSES_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_ROWCLASSES_H

#include "LayoutPlan.h"

namespace stof {

/// Lengths and symbols, where those that are not known are guessed.
struct NominalSizes {
  int64_t queries, keys;
  llvm::SmallVector<int64_t> symbols;
};
NominalSizes guessSizes(const MaskedAttention &attention);

/// The queries of one residue and the keys that share pairs with them.
struct RowClass {
  TileShape shape;
  int64_t rowTiles, keyTiles;
  TouchedTiles visited, partial;
};

struct RowClasses {
  int64_t stride, residue;
  /// One for each residue of queries.
  std::vector<RowClass> classes;
  /// Whether no tile is visited for nothing.
  bool isExact = true;
};

/// An interval of the classes `first` to `last`, both included.
struct ClassInterval {
  TileInterval interval;
  int64_t first, last;
};

/// Says why `positions` of this stride are not gathered into tiles.
std::string describeStride(llvm::StringRef positions, int64_t stride,
                           const llvm::Twine &why);

/// The classes of a mask whose tiles are fewer than `limit`, if it has such.
/// `notGathered` says why they are not looked for where there may be.
std::optional<RowClasses> findRowClasses(const MaskedAttention &attention,
                                         const NominalSizes &sizes,
                                         int64_t limit,
                                         std::string &notGathered);

/// The intervals of one kind, each once for the classes that share it.
std::vector<ClassInterval> mergeClasses(const RowClasses &rows,
                                        TouchedTiles RowClass::*kind);

/// Counts the tiles of all classes, without symbols; nothing if some numbers
/// are bounds only.
std::optional<TileCensus> countClasses(const RowClasses &rows,
                                       const MaskSet &set);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_ROWCLASSES_H

//===----------------------------------------------------------------------===//
// Masks of every n-th distance query - key (dilated windows). The queries of
// one residue have unmasked positions with the keys of one residue only, and
// each such class has a dense mask by itself. Its tiles are projected with
// constant residues, which makes divisions by the stride exact.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_ROWCLASSES_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_ROWCLASSES_H

#include "LayoutPlan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stof {

/// Lengths and values of symbols; unknown ones are guessed.
struct NominalSizes {
  int64_t queries, keys;
  llvm::SmallVector<int64_t> symbols;
};
NominalSizes guessSizes(const MaskedAttention &attention);

/// The queries of one residue and the keys of their unmasked positions.
struct RowClass {
  TileShape shape;
  int64_t rowTiles, keyTiles;
  TouchedTiles visited, partial;
};

struct RowClasses {
  int64_t stride, residue;
  /// The class of each residue of queries.
  std::vector<RowClass> classes;
  /// Whether no visited tile is empty.
  bool isExact = true;
};

/// An interval of the classes `first` to `last`, both included.
struct ClassInterval {
  ClassInterval(const TileInterval &interval, int64_t number);

  /// That of class `first`.
  TileInterval interval;
  int64_t first, last;
  /// What the constants of its lower and upper bounds and its guards, in this
  /// order, grow by from class to class.
  llvm::SmallVector<int64_t> growth;
};

/// The text that `positions` of this stride are not gathered into tiles, and
/// why.
std::string describeStride(llvm::StringRef positions, int64_t stride,
                           const llvm::Twine &why);

/// The classes of a mask, if they have fewer than `limit` tiles in all. If the
/// search is given up, `notGathered` says why.
std::optional<RowClasses> findRowClasses(const MaskedAttention &attention,
                                         const NominalSizes &sizes,
                                         int64_t limit,
                                         std::string &notGathered);

/// The number of key tiles of a class; nothing if the number of keys is not
/// known.
using CountKeyTiles =
    llvm::function_ref<std::optional<TileBound>(const TileShape &shape)>;

/// The intervals of one kind, merged in each class, and each stated once for
/// consecutive classes with it. Where the number of keys is a symbol, an
/// interval at their end is another one in each class, by a constant.
std::vector<ClassInterval> mergeClasses(const RowClasses &rows,
                                        TouchedTiles RowClass::*kind,
                                        CountKeyTiles countKeyTiles);

/// Counts the tiles of all classes of a mask without symbols; nothing if the
/// tiles of a class are bounds only.
std::optional<TileCensus> countClasses(const RowClasses &rows,
                                       const MaskSet &set);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_ROWCLASSES_H

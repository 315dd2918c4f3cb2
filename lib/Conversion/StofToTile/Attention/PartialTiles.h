//===----------------------------------------------------------------------===//
// Reduces a mask for the partial tiles of each interval of a layout, by the
// predicates that the tiles imply.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PARTIALTILES_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PARTIALTILES_H

#include "stof/Mask/ImpliedPredicates.h"

namespace stof {

/// The predicate for the partial tiles of some intervals.
struct ReducedMask {
  /// The positions of the intervals in their list.
  llvm::SmallVector<unsigned> intervals;
  /// A detached mask.
  mlir::OwningOpRef<MaskOp> mask;
  /// The number of comparisons that it evaluates.
  unsigned comparisons;
  /// Whether out-of-bounds keys have to be tested for.
  bool hasPadding;

  /// Whether all in-bounds positions are unmasked.
  bool keepsAll();
};

/// The predicates for the intervals `partial` over every `stride`-th key from
/// `offset`; `isFilled` says whether these keys fill whole tiles. The first one
/// that names an interval of a visited tile is correct for the tile. That of
/// the interval with all out-of-bounds keys comes first, then the cheapest.
std::vector<ReducedMask> reduceMask(AttentionOp op, ImpliedPredicates &implied,
                                    mlir::ArrayAttr visited,
                                    mlir::ArrayAttr partial, int64_t stride,
                                    int64_t offset, bool isFilled);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PARTIALTILES_H

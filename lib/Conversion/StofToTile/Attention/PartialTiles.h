//===----------------------------------------------------------------------===//
// What is left of a mask on the partial tiles of each interval of a layout,
// given what the tiles imply.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PARTIALTILES_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PARTIALTILES_H

#include "stof/Mask/ImpliedTruths.h"

namespace stof {

/// A predicate for the partial tiles of some intervals.
struct ReducedMask {
  /// The positions of the intervals in their list.
  llvm::SmallVector<unsigned> intervals;
  /// A mask of its own, in no block.
  mlir::OwningOpRef<MaskOp> mask;
  /// How many comparisons it evaluates.
  unsigned comparisons;
  /// Whether keys beyond the last have to be told from those that exist.
  bool hasPadding;

  /// Whether every pair is kept, but for keys beyond the last.
  bool keepsAll();
};

/// The predicates for the intervals `partial` of keys that lie `stride` apart
/// from `offset` on and fill whole tiles if `isFilled`, cheapest first. Every
/// tile of an interval that is visited may be tested by any predicate that
/// names the interval.
std::vector<ReducedMask> reduceMask(AttentionOp op, ImpliedTruths &truths,
                                    mlir::ArrayAttr visited,
                                    mlir::ArrayAttr partial, int64_t stride,
                                    int64_t offset, bool isFilled);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PARTIALTILES_H

//===----------------------------------------------------------------------===//
// Intervals of the tiles of one kind: those that are full, or partial, of the
// tiles that a closed form visits. In tile lists the tiles of a kind are next
// to each other.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TILEKINDS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TILEKINDS_H

#include "stof/CostModel/AttentionTile.h"
#include "stof/IR/Stof.h"

namespace stof {

/// The tiles that the mainloops of an attention iterate over, one for each
/// kind. Where iterations overlap, a branch to the code of a mask would be
/// between the products of two, and wgmma in flight would be waited for there;
/// full tiles need none.
struct TileKinds {
  /// Intervals of the partial and of the full tiles that are visited, and those
  /// that the cases of a mask refer to.
  mlir::ArrayAttr partial, full, cases;

  /// The kinds of the tiles that are `visited`, of which those in an interval
  /// of `partial` are partial; nothing if one mainloop serves both.
  static std::optional<TileKinds> get(AttentionOp op, const AttentionTile &tile,
                                      mlir::ArrayAttr visited,
                                      mlir::ArrayAttr partial);

  /// Whether the partial and the full tiles of a tile list have a mainloop
  /// each.
  static bool areApartInLists(AttentionOp op, const AttentionTile &tile);
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TILEKINDS_H

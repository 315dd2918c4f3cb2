//===----------------------------------------------------------------------===//
// The work of an attention in each of several tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_TILETRIALS_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_TILETRIALS_H

#include "KnownMask.h"

#include <map>

namespace stof {

/// Plans copies of an attention on tensors, one for each size of tiles, and
/// erases them at the end.
class TileTrials {
public:
  TileTrials(AttentionOp op, const TargetInfo *target, bool gathersStrides,
             KnownMasks &masks)
      : op(op), before(op->getPrevNode()), target(target),
        gathersStrides(gathersStrides), masks(masks) {}
  TileTrials(const TileTrials &) = delete;
  ~TileTrials();

  /// The work with `tile` and the layout that the mask has in such tiles.
  TriedTile run(AttentionTileAttr tile);

private:
  AttentionOp planCopy(AttentionTileAttr tile) const;

  AttentionOp op;
  /// What precedes the copies; null if they are the first.
  mlir::Operation *before;
  const TargetInfo *target;
  bool gathersStrides;
  KnownMasks &masks;
  /// By queries and keys of the tiles.
  std::map<std::pair<int64_t, int64_t>, AttentionOp> copies;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_TILETRIALS_H

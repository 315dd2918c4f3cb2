//===----------------------------------------------------------------------===//
// Planning the layout of one attention.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_PLANLAYOUT_H
#define STOF_TRANSFORMS_PLANLAYOUT_H

#include "stof/CostModel/CostModel.h"
#include "stof/IR/Stof.h"
#include "stof/Mask/TileIntervals.h"
#include "stof/Support/TargetInfo.h"

#include <optional>
#include <vector>

namespace stof {

struct LayoutOptions {
  /// Queries and keys of a tile.
  TileShape shape;
  /// Whether strided queries and keys are gathered into tiles of their own.
  bool gathersStrides = true;
  /// Whether the digest of the mask is attached.
  bool attachesDigest = false;
  /// Whether the layout is only to be weighed against others, so no remarks are
  /// emitted.
  bool isTrial = false;
  /// For the remark: the predicted time of the tile, in microseconds, if the
  /// cost model chose it.
  std::optional<double> predicted = std::nullopt;
};

/// Gives `op`, which has none, a layout and a schedule, as `stof-plan-layout`
/// does. Operations for the operands of the layout are inserted before it.
void planLayout(AttentionOp op, const LayoutOptions &options);

/// A tile, and the work of an attention in it: that of its kernel, then that of
/// combining splits, if there are any. Empty if sizes are dynamic.
struct TriedTile {
  AttentionTileAttr tile;
  std::vector<KernelWork> works;
};

/// The tiles that kernels of `op`, on tensors, can have, with the layouts that
/// its mask has in them. The first is that of `op` or, if it has none, the one
/// that `stof-plan-layout` gives it for `target`.
std::vector<TriedTile> tryTiles(AttentionOp op, const TargetInfo *target,
                                bool gathersStrides = true);

} // namespace stof

#endif // STOF_TRANSFORMS_PLANLAYOUT_H

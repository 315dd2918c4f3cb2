//===----------------------------------------------------------------------===//
// Planning the layout of one attention.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_PLANLAYOUT_H
#define STOF_TRANSFORMS_PLANLAYOUT_H

#include "stof/IR/Stof.h"
#include "stof/Mask/TileIntervals.h"

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
};

/// Gives `op`, which has none, a layout and a schedule, as `stof-plan-layout`
/// does. Operations for the operands of the layout are inserted before it.
void planLayout(AttentionOp op, const LayoutOptions &options);

} // namespace stof

#endif // STOF_TRANSFORMS_PLANLAYOUT_H

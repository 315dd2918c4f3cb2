//===----------------------------------------------------------------------===//
// How a block-wise attention is cut into tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_ATTENTIONTILE_H
#define STOF_COSTMODEL_ATTENTIONTILE_H

#include "stof/IR/Stof.h"

namespace stof {

/// The sizes of the tiles, in rows and features, and who computes one.
struct AttentionTile {
  int64_t queries, keys, features, valueFeatures;
  /// Warps that divide the queries among them.
  int64_t warps;
  /// Whether the queries stay in registers instead of shared memory.
  bool holdsQueries;
  /// Blocks that share a row tile, each with `valueFeatures` of the features of
  /// V: where one has no registers for all of them. Each computes the scores.
  int64_t featureParts = 1;
  /// Steps in which a score is summed, each over `features` of the features of
  /// Q and K: where one has no shared memory for all of them.
  int64_t depthSteps = 1;
};

/// Rows that a warp holds of a tile come in multiples of this.
inline constexpr int64_t attentionRowUnit = 16;

/// Big tiles while Q, K and V fit in shared memory, the accumulators in
/// registers, and there are enough of them for all multiprocessors.
AttentionTile chooseTile(AttentionOp op);

/// Divides the features of `tile` further until its operands fit in the shared
/// memory of any GPU, whatever its rows and keys are.
void fitFeatures(AttentionOp op, AttentionTile &tile);

/// The same tile with all features: a processor has memory for them, and would
/// compute the scores for each part again.
AttentionTile joinFeatures(AttentionOp op, AttentionTile tile);

} // namespace stof

#endif // STOF_COSTMODEL_ATTENTIONTILE_H

//===----------------------------------------------------------------------===//
// Tile sizes of attention kernels.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_ATTENTIONTILE_H
#define STOF_COSTMODEL_ATTENTIONTILE_H

#include "stof/IR/Stof.h"

namespace stof {

/// Tile sizes in rows and features, and their distribution over CTAs and warps.
struct AttentionTile {
  int64_t queries, keys, features, valueFeatures;
  /// Warps, each with its share of the queries.
  int64_t warps;
  /// Whether Q is register-resident rather than in shared memory.
  bool holdsQueries;
  /// CTAs per row tile, each with `valueFeatures` of the features of V, if the
  /// accumulators of all exceed the registers of one. Each recomputes the
  /// scores.
  int64_t featureParts = 1;
  /// Slices of the head dim, each of `features` of the features of Q and K, if
  /// all exceed shared memory.
  int64_t depthSteps = 1;
};

/// The rows of a warp are a multiple of this.
inline constexpr int64_t attentionRowUnit = 16;

/// The largest tile with Q, K and V in shared memory and the accumulators in
/// registers that leaves enough tiles for all SMs.
AttentionTile chooseTile(AttentionOp op);

/// Splits the features of `tile` further until its operands fit in the shared
/// memory of any GPU, for any number of rows and keys.
void fitFeatures(AttentionOp op, AttentionTile &tile);

/// The same tile with all features: memory does not limit the CPU, and
/// splitting would recompute the scores.
AttentionTile joinFeatures(AttentionOp op, AttentionTile tile);

} // namespace stof

#endif // STOF_COSTMODEL_ATTENTIONTILE_H

//===----------------------------------------------------------------------===//
// Tile sizes of attention kernels.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_ATTENTIONTILE_H
#define STOF_COSTMODEL_ATTENTIONTILE_H

#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

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
  int64_t valueSlices = 1;
  /// Slices of the head dim, each of `features` of the features of Q and K, if
  /// all exceed shared memory.
  int64_t headDimSlices = 1;
  /// More warps, which load tiles of keys and values (stof-specialize-warps).
  int64_t producers = 0;
  /// Whether iterations overlap (stof-overlap-iterations).
  bool overlaps = false;
  /// The CTAs of an SM that share all row tiles (stof-persist-ctas); 0 if each
  /// CTA has one.
  int64_t resident = 0;
  /// Whether each of these claims its next row tile.
  bool dynamic = false;
};

/// The rows of a warp are a multiple of this.
inline constexpr int64_t attentionRowUnit = 16;

/// The tile that `op` asks for, if it does, else the largest one with Q, K and
/// V in shared memory and the accumulators in registers that leaves enough
/// tiles for all SMs.
AttentionTile chooseTile(AttentionOp op);

/// Whether warpgroups multiply in the kernel of `op` with `tile`
/// (stof-use-warpgroups).
bool usesWarpgroups(AttentionOp op, const AttentionTile &tile,
                    const TargetInfo *target);

/// Whether persistent CTAs take a long row tile of `op` and a short one in
/// turn, which balances them if the lengths of row tiles grow evenly.
bool takesPairs(AttentionOp op, const AttentionTile &tile);

/// Whether the CTAs of `op` claim their row tiles, by a counter that a kernel
/// of its own resets.
bool usesCounter(AttentionOp op);

/// All tiles that a kernel of `op` can have on `target`, or on any GPU if it is
/// null: those whose operands fit in shared memory and whose accumulators fit
/// in registers. That which is chosen for an attention without a tile is the
/// first.
std::vector<AttentionTileAttr> listAttentionTiles(AttentionOp op,
                                                  const TargetInfo *target);

/// The registers of a thread that the mask and the score of `op` need, beyond
/// those of a mask in closed form.
int64_t countMaskRegisters(AttentionOp op);

/// How many CTAs with `tile` fit on an SM of `target` if masks and scores need
/// `maskRegisters` of each thread.
int64_t countResident(AttentionOp op, const AttentionTile &tile,
                      const TargetInfo &target, int64_t maskRegisters);

/// The tile of the kernel of `op` for `target`: that of its layout, if there is
/// one, with the features sliced until the operands fit in the shared memory of
/// any GPU. On CPUs (no target) a tile has all features: memory does not limit
/// it, and slices would recompute the scores.
AttentionTile getKernelTile(AttentionOp op, const TargetInfo *target);

/// The tile of the kernel that combines the splits of `op`. It multiplies
/// nothing, so that many CTAs with a narrow slice of V each wait for loads at
/// the same time. Where fully masked rows attend to keys, scores are computed
/// once, for all features.
AttentionTile getCombineTile(AttentionOp op, const TargetInfo *target);

} // namespace stof

#endif // STOF_COSTMODEL_ATTENTIONTILE_H

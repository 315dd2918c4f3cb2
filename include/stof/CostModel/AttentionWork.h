//===----------------------------------------------------------------------===//
// Work of attention kernels, from the census of their masks.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_ATTENTIONWORK_H
#define STOF_COSTMODEL_ATTENTIONWORK_H

#include "stof/CostModel/AttentionTile.h"
#include "stof/CostModel/CostModel.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

#include <optional>

namespace stof {

/// Counts of the tiles of one mask, of its unmasked positions, and the most
/// full and partial tiles of a row tile; negative if unknown.
struct AttentionCensus {
  int64_t full = -1, partial = -1, empty = -1, nonzeros = -1, longest = -1;
};

/// The number of masks of `op` that its census counts.
int64_t countMasks(AttentionOp op);

/// The census of the layout of `op`; without a mask, that of `tile`.
AttentionCensus takeCensus(AttentionOp op, const AttentionTile &tile);

/// The work of the kernel of `op`, without that of combining splits, with
/// dynamic batches and lengths estimated; nothing if other sizes are dynamic.
std::optional<KernelWork> countWork(AttentionOp op, const TargetInfo *target);

/// The work of the kernel that resets the counter of row tiles; nothing if
/// there is none.
std::optional<KernelWork> countResetWork(AttentionOp op);

/// The work of the kernel that combines the splits of `op`; nothing if there is
/// none, or if sizes other than batches and lengths are dynamic.
std::optional<KernelWork> countCombineWork(AttentionOp op,
                                           const TargetInfo *target);

} // namespace stof

#endif // STOF_COSTMODEL_ATTENTIONWORK_H

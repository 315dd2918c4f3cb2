//===----------------------------------------------------------------------===//
// How a block-wise attention is cut into tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_ANALYSIS_ATTENTIONTILE_H
#define STOF_ANALYSIS_ATTENTIONTILE_H

#include "stof/IR/Stof.h"

namespace stof {

/// The sizes of the tiles, in rows and features.
struct AttentionTile {
  int64_t queries, keys, features, valueFeatures;
};

/// Big tiles while Q, K and V fit in shared memory and the accumulators in
/// registers.
AttentionTile chooseTile(AttentionOp op);

} // namespace stof

#endif // STOF_ANALYSIS_ATTENTIONTILE_H

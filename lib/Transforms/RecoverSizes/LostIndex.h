//===----------------------------------------------------------------------===//
// Whether an operation may have counted along a loop that was thought to run
// once.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RECOVERSIZES_LOSTINDEX_H
#define STOF_LIB_TRANSFORMS_RECOVERSIZES_LOSTINDEX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// Upstream's canonicalisation replaces the index of a loop that runs once by
/// 0, after which nothing tells a range of positions from a constant. Whether
/// the body of `op` may have had the index of `loop`: it makes a tensor of
/// nothing, or computes with a constant what it could have computed with an
/// index.
bool mayHaveLostIndex(mlir::linalg::LinalgOp op, unsigned loop);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RECOVERSIZES_LOSTINDEX_H

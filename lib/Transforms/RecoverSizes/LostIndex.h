//===----------------------------------------------------------------------===//
// Detects operations that may have used the index of a loop that was taken to
// have one iteration.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RECOVERSIZES_LOSTINDEX_H
#define STOF_LIB_TRANSFORMS_RECOVERSIZES_LOSTINDEX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// Whether the body of `op` may have used the index of `loop`: the operation
/// has no inputs, or uses a constant where an index may have been. Upstream's
/// canonicalisation replaces the index of a loop of one iteration by 0, after
/// which a range of positions cannot be distinguished from a constant.
bool mayHaveLostIndex(mlir::linalg::LinalgOp op, unsigned loop);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RECOVERSIZES_LOSTINDEX_H

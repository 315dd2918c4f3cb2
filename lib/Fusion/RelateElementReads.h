//===----------------------------------------------------------------------===//
// Reads of values of the group by `tensor.extract`, e.g. of the other half of a
// head:
//
//     y[s, d] = x[s, d] * cos[s, d] + (d < 32 ? -x[s, d + 32] : x[s, d - 32])
//
// All other indices are the reader's own coordinates. The moved ones stay
// within dim factors of the columns, which a tile then must not split.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_FUSION_RELATEELEMENTREADS_H
#define STOF_LIB_FUSION_RELATEELEMENTREADS_H

#include "stof/Fusion/GroupLoops.h"

namespace stof {

/// Adds the element reads of `op` to `loops`, and unifies its loops with the
/// dims that it reads at its own coordinates. `loops` are invalid if that is
/// refused.
std::optional<Refusal> relateElementReads(mlir::linalg::LinalgOp op,
                                          GroupLoops &loops);

} // namespace stof

#endif // STOF_LIB_FUSION_RELATEELEMENTREADS_H

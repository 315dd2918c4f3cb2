//===----------------------------------------------------------------------===//
// Proofs that a mask has no fully masked row.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_NONEMPTYROWS_H
#define STOF_MASK_NONEMPTYROWS_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// Whether `mask`, whose set is `set`, is proven to have no fully masked row,
/// for all lengths and captures:
///
/// - the queries of the must set, a union of polyhedra over the query and the
///   symbols, cover all queries; or
/// - the mask is constant, and each row has an unmasked position.
///
/// There is no proof if the number of keys may be 0 or all unmasked positions
/// of a row depend on run-time code.
bool coversAllRows(const MaskExpr &mask, const MaskSet &set);

} // namespace stof

#endif // STOF_MASK_NONEMPTYROWS_H

//===----------------------------------------------------------------------===//
// Whether every query attends to a key.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_ROWCOVER_H
#define STOF_MASK_ROWCOVER_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// Whether it is proven that `mask`, whose set is `set`, keeps a key of each
/// query, for all lengths and whatever is captured:
///
/// - the queries of the pairs that are kept for certain, a union of polyhedra
///   over the query and the symbols, cover all queries; or
/// - the mask is known, and each row holds a pair that is kept.
///
/// A length of keys that may be 0 is a row that may be empty, and so is what is
/// kept by code alone.
bool coversAllRows(const MaskExpr &mask, const MaskSet &set);

} // namespace stof

#endif // STOF_MASK_ROWCOVER_H

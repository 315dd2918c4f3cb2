//===----------------------------------------------------------------------===//
// A number that stands for a set of pairs: the sum of x^query y^key over all of
// them, at two points (x, y) of a prime field. It is a function of the set
// alone, whatever predicate describes it; two different sets of lengths below
// 2^24 have one number with a chance of less than 2^-70, as points are fixed
// and masks know nothing of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_MASK_DIGEST_PAIRSUM_H
#define STOF_LIB_MASK_DIGEST_PAIRSUM_H

#include "stof/Mask/MaskGrid.h"

namespace stof {

struct PairSum {
  std::array<uint64_t, 2> values{};

  bool operator==(const PairSum &other) const { return values == other.values; }
};

/// Sums the pairs that `mask` keeps, in all rows while `queries` x `keys` is at
/// most `maxPairs`, else in rows that are chosen by these numbers alone.
/// Nothing if the mask depends on more than its four coordinates, of which
/// batch and head are 0, or computes what MaskGrid does not evaluate.
std::optional<PairSum> sumPairs(const MaskExpr &mask, int64_t queries,
                                int64_t keys, int64_t maxPairs);

} // namespace stof

#endif // STOF_LIB_MASK_DIGEST_PAIRSUM_H

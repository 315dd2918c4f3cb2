//===----------------------------------------------------------------------===//
// The fingerprint of a set of pairs: the sum of x^query y^key over all of them,
// at two points (x, y) of a prime field. It is a function of the set alone,
// independent of the predicate. Two different sets of lengths below 2^24
// collide with a probability below 2^-70, since the points are fixed and
// independent of the masks.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_MASK_DIGEST_POLYNOMIALFINGERPRINT_H
#define STOF_LIB_MASK_DIGEST_POLYNOMIALFINGERPRINT_H

#include "stof/Mask/MaskIntervalEvaluator.h"

namespace stof {

struct PolynomialFingerprint {
  std::array<uint64_t, 2> values{};

  bool operator==(const PolynomialFingerprint &other) const {
    return values == other.values;
  }
};

/// The fingerprint of the unmasked positions of `mask` at batch and head 0: of
/// all rows if `queries` x `keys` is at most `maxPairs`, else of a sample of
/// rows that depends on these sizes only. Nothing if the mask depends on
/// run-time values or is not supported by MaskIntervalEvaluator.
std::optional<PolynomialFingerprint>
sumPairs(const MaskExpr &mask, int64_t queries, int64_t keys, int64_t maxPairs);

} // namespace stof

#endif // STOF_LIB_MASK_DIGEST_POLYNOMIALFINGERPRINT_H

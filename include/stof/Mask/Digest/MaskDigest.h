//===----------------------------------------------------------------------===//
// A digest of the set of unmasked positions, independent of the spelling of the
// mask: results cached for one spelling are found for every other.
//
// The unmasked positions are reduced to a fingerprint, a function of the set
// alone (the sum of x^query y^key over a prime field, at two points). Run-time
// values are sampled: the fingerprint is computed for a fixed list of lengths,
// of values of captured scalars, and of batches and heads. The digest is a hash
// of these fingerprints.
//
// Guarantees:
//
// - Equal sets have equal digests, regardless of the order of operands,
//   redundant conjuncts, negations, minima and selects for comparisons, the
//   indices and order of captures, and a dependence on batch or head without
//   effect. Up to three captured scalars of one kind are distinguished by their
//   effect, more than three by the order of their uses in the predicate.
// - Different sets of known lengths have different digests, except with a
//   probability below 2^-70, if queries x keys is at most 2^25. Beyond that,
//   and for dynamic lengths or scalars, they may collide if they agree in all
//   samples: rows, lengths up to 100003, scalars up to 10000.
// - Conditions on dynamic captured tensors, floats and captured booleans are
//   code. The digest then covers the text of the conditions, with sorted
//   operands, and the sets for all of their outcomes: the code around them can
//   be spelt in any way, the conditions themselves can differ in the order of
//   operands, in the sense of comparisons and in the simplifications of
//   ScalarExpr.h.
//
// A mask of more than four such conditions, or of arithmetic that cannot be
// evaluated at compile time, has a digest of the text of its whole predicate
// (isSpelling).
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_DIGEST_MASKDIGEST_H
#define STOF_MASK_DIGEST_MASKDIGEST_H

#include "stof/Mask/MaskSet.h"

namespace stof {

struct MaskDigest {
  /// 32 hexadecimal digits.
  std::string text;
  /// Whether it hashes the predicate's text, which equal sets need not share.
  bool isSpelling = false;
};

/// The digest of `mask`, made in `context`.
MaskDigest digestMask(ExprContext &context, const MaskExpr &mask);

/// A hash of the spelling of `mask`, its lengths, batches and heads, and the
/// contents of captured constants; run-time values are numbered. It takes far
/// less time than the digest, and masks with equal hashes have equal digests.
std::string hashSpelling(const MaskExpr &mask);

} // namespace stof

#endif // STOF_MASK_DIGEST_MASKDIGEST_H

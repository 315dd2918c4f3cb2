//===----------------------------------------------------------------------===//
// A digest of what a mask keeps, not of how it is spelt: what is learnt of one
// mask is found again for every other spelling of it.
//
// The pairs that a mask keeps are put into one number, a function of the set
// alone (the sum of x^query y^key over a prime field, at two points). What is
// known at run time only is sampled: the number is taken for a fixed list of
// lengths and of values of captured scalars, and of batches and heads. The
// digest is a hash of these numbers.
//
// Guarantees:
//
// - Equal sets have equal digests, however spelt: order of operands, redundant
//   conjuncts, negations, minima and selects for comparisons, positions and
//   order of what is captured, a dependence on batch or head that changes
//   nothing. Of captured scalars of one kind at most three are told apart by
//   what they do, more of them by the order in which the predicate uses them.
// - Different sets of known lengths have different digests, but for a chance
//   below 2^-70, where queries x keys is at most 2^25. Beyond, and where
//   lengths or scalars are known at run time, they may have the same if they
//   agree in all rows, lengths and values that are sampled: lengths up to
//   100003, scalars up to 10000.
// - Conditions on captured tensors of run time, on floats and captured truth
//   values are code. The digest then is of the conditions as text, operands
//   sorted, and of the sets that all their outcomes give: what is around them
//   may be spelt any way, they themselves may differ in the order of operands,
//   in the sense of comparisons and in what the expressions simplify
//   (ScalarExpr.h).
//
// A mask of more than four such conditions, or of arithmetic that cannot be
// evaluated here, has a digest of its whole predicate as text (isSpelling).
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_DIGEST_MASKDIGEST_H
#define STOF_MASK_DIGEST_MASKDIGEST_H

#include "stof/Mask/MaskSet.h"

namespace stof {

struct MaskDigest {
  /// 32 hexadecimal digits.
  std::string text;
  /// Whether it is of the predicate's text, which equal sets need not share.
  bool isSpelling = false;
};

/// The digest of `mask`, made in `context`.
MaskDigest digestMask(ExprContext &context, const MaskExpr &mask);

} // namespace stof

#endif // STOF_MASK_DIGEST_MASKDIGEST_H

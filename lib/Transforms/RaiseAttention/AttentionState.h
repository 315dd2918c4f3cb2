//===----------------------------------------------------------------------===//
// What the steps of matching an attention hand to one another.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONSTATE_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONSTATE_H

#include "AttentionMatch.h"

namespace stof {

struct AttentionMatcher::State {
  AttentionMatch match;
  /// The element of the root, with the weight in place of the contraction.
  const Expr *weight = nullptr;
  /// The element of the tensor of weights that is contracted, and of the
  /// values.
  const Expr *weightElement = nullptr, *valueElement = nullptr;
  /// The contraction of query and key, and its two elements.
  const Expr *score = nullptr, *queryElement = nullptr, *keyElement = nullptr;
  /// The key coordinate, once coordinates are chosen.
  const Expr *key = nullptr;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONSTATE_H

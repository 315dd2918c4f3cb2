//===----------------------------------------------------------------------===//
// The state shared by the steps of matching an attention.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONSTATE_H
#define STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONSTATE_H

#include "AttentionMatch.h"

namespace stof {

struct AttentionMatcher::State {
  AttentionMatch match;
  /// The element of the root, with the contraction replaced by the weight.
  const Expr *weight = nullptr;
  /// The operands of the second contraction.
  const Expr *weightElement = nullptr, *valueElement = nullptr;
  /// The contraction of query and key, and its operands.
  const Expr *score = nullptr, *queryElement = nullptr, *keyElement = nullptr;
  /// The key coordinate; set by chooseCoordinates.
  const Expr *key = nullptr;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RAISEATTENTION_ATTENTIONSTATE_H

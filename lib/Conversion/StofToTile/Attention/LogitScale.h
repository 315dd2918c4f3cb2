//===----------------------------------------------------------------------===//
// The unit of logits, and the factor from a product of query and key to one.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LOGITSCALE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LOGITSCALE_H

#include "AttentionContext.h"

namespace stof {

struct LogitScale {
  /// Whether logits are natural rather than in base 2: where scores could
  /// overflow in base 2, and in f32, where exponentials are not the bottleneck.
  bool isNatural = false;
  /// The scale of scores; null for 1.
  mlir::Value scoreScale = {};
  /// The factor from a product to a logit in base 2, if it is positive and the
  /// only step. It keeps the order of scores, so it is applied after the row
  /// max.
  mlir::Value factor = {};

  static LogitScale get(const AttentionContext &context);
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LOGITSCALE_H

//===----------------------------------------------------------------------===//
// The inliner interface of dialects whose operations do not depend on the
// function around them.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_INLINEANYWHERE_H
#define STOF_SUPPORT_INLINEANYWHERE_H

#include "mlir/Transforms/InliningUtils.h"

namespace stof {

struct InlineAnywhere : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool,
                       mlir::IRMapping &) const final;
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool,
                       mlir::IRMapping &) const final;
};

} // namespace stof

#endif // STOF_SUPPORT_INLINEANYWHERE_H

//===----------------------------------------------------------------------===//
// Inlining of operations that do not depend on the function around them.
//===----------------------------------------------------------------------===//

#include "stof/Support/InlineAnywhere.h"

using namespace mlir;
using namespace stof;

bool InlineAnywhere::isLegalToInline(Operation *, Region *, bool,
                                     IRMapping &) const {
  return true;
}

bool InlineAnywhere::isLegalToInline(Region *, Region *, bool,
                                     IRMapping &) const {
  return true;
}

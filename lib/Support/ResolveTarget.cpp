//===----------------------------------------------------------------------===//
// Targets by name.
//===----------------------------------------------------------------------===//

#include "stof/Support/ResolveTarget.h"

using namespace mlir;
using namespace stof;

FailureOr<const TargetInfo *> stof::resolveTarget(Operation *op,
                                                  StringRef name) {
  if (name.empty())
    return nullptr;
  if (const TargetInfo *target = findTarget(name))
    return target;
  return op->emitOpError() << "expects one of the GPUs " << listTargets()
                           << ", but got '" << name << "'";
}

//===----------------------------------------------------------------------===//
// Targets by name.
//===----------------------------------------------------------------------===//

#include "stof/Support/ResolveTarget.h"

using namespace mlir;
using namespace stof;

FailureOr<const TargetInfo *> stof::requireTarget(Operation *op,
                                                  StringRef name) {
  if (const TargetInfo *target = findTarget(name))
    return target;
  return op->emitOpError() << "expects one of the GPUs " << listTargets()
                           << ", but got '" << name << "'";
}

FailureOr<const TargetInfo *> stof::resolveTarget(Operation *op,
                                                  StringRef name) {
  if (name.empty())
    return nullptr;
  return requireTarget(op, name);
}

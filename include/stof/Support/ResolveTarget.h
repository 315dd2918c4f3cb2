//===----------------------------------------------------------------------===//
// From the option of a pass, which is text, to a target.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_RESOLVETARGET_H
#define STOF_SUPPORT_RESOLVETARGET_H

#include "stof/Support/TargetInfo.h"

#include "mlir/IR/Operation.h"

namespace stof {

/// The target called `name`; null for an empty name, which stands for CPUs.
/// Emits an error at `op` if there is no such target.
mlir::FailureOr<const TargetInfo *> resolveTarget(mlir::Operation *op,
                                                  llvm::StringRef name);

} // namespace stof

#endif // STOF_SUPPORT_RESOLVETARGET_H

//===----------------------------------------------------------------------===//
// From the option of a pass, which is text, to a target.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_RESOLVETARGET_H
#define STOF_SUPPORT_RESOLVETARGET_H

#include "stof/Support/TargetInfo.h"

#include "mlir/IR/Operation.h"

namespace stof {

/// The target called `name`. Emits an error at `op` if there is none.
mlir::FailureOr<const TargetInfo *> requireTarget(mlir::Operation *op,
                                                  llvm::StringRef name);

/// The same; null for an empty name, which stands for CPUs.
mlir::FailureOr<const TargetInfo *> resolveTarget(mlir::Operation *op,
                                                  llvm::StringRef name);

} // namespace stof

#endif // STOF_SUPPORT_RESOLVETARGET_H

//===----------------------------------------------------------------------===//
// What the caller of a function on tensors has to know: shapes, and what must
// hold of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_INTERFACE_H
#define STOF_TARGET_INTERFACE_H

#include "stof/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// Describes `function`, which is on tensors, without constants and targets.
/// Inputs are arg0, arg1, ..., results result0, result1, ...; each dynamic size
/// of an input has a symbol s0, s1, ..., the same for sizes that an assertion
/// at the top of the function makes equal. Sizes of results are expressions of
/// these. Assertions on sizes become checks.
///
/// Fails with a diagnostic at an argument or result that is no tensor of a type
/// that packages know, or a result whose size depends on more than sizes.
mlir::FailureOr<PackagedFunction>
describeInterface(mlir::func::FuncOp function);

/// The name that packages have for an element type; none if they have not.
std::optional<llvm::StringRef> getDTypeName(mlir::Type type);

} // namespace stof

#endif // STOF_TARGET_INTERFACE_H

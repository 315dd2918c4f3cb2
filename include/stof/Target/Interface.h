//===----------------------------------------------------------------------===//
// The interface of a function on tensors for its callers: shapes and checks on
// them.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_INTERFACE_H
#define STOF_TARGET_INTERFACE_H

#include "stof/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// Describes `function`, which is on tensors, without constants and targets.
/// Inputs are arg0, arg1, ..., results result0, result1, ...; each dynamic size
/// of an input has a symbol s0, s1, ..., shared by sizes that an assertion at
/// the top of the function makes equal. Sizes of results are expressions in
/// symbols. Assertions on sizes become checks.
///
/// Fails with a diagnostic at an argument or result that is not a tensor of a
/// packaged element type, or a result whose size depends on more than sizes.
mlir::FailureOr<PackagedFunction>
describeInterface(mlir::func::FuncOp function);

/// The name of an element type in packages; none if it cannot be packaged.
std::optional<llvm::StringRef> getDTypeName(mlir::Type type);

} // namespace stof

#endif // STOF_TARGET_INTERFACE_H

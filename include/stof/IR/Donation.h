//===----------------------------------------------------------------------===//
// Donated inputs: arguments whose buffers results take over, which allows
// updates in place. They are marked with the number of the result, as by JAX's
// exporter:
//
//   func.func @decode(%cache: tensor<2x128xf32> {tf.aliasing_output = 1 : i32})
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_DONATION_H
#define STOF_IR_DONATION_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {

/// The attribute of an argument that names the result.
inline constexpr llvm::StringLiteral aliasingOutputName = "tf.aliasing_output";

/// For each result of `function`, the number of the argument whose buffer it
/// takes over, if any. Emits an error if an argument names a result that does
/// not exist, is named by another argument, or has another type.
mlir::FailureOr<llvm::SmallVector<std::optional<unsigned>>>
readDonations(mlir::FunctionOpInterface function);

} // namespace stof

#endif // STOF_IR_DONATION_H

//===----------------------------------------------------------------------===//
// Arguments whose buffers results take over: what a caller gives away, so that
// it can be updated in place. An argument says so as JAX's exporter writes it,
// with the number of the result:
//
//   func.func @decode(%cache: tensor<2x128xf32> {tf.aliasing_output = 1 : i32})
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_DONATION_H
#define STOF_IR_DONATION_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {

/// The attribute of an argument that names the result.
inline constexpr llvm::StringLiteral aliasingOutputName = "tf.aliasing_output";

/// For each result of `function` the number of the argument whose buffer it
/// takes over, if there is one. Fails with an error where an argument names a
/// result that does not exist, that another argument has named, or that has
/// another type.
mlir::FailureOr<llvm::SmallVector<std::optional<unsigned>>>
readDonations(mlir::FunctionOpInterface function);

} // namespace stof

#endif // STOF_IR_DONATION_H

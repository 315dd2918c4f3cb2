//===----------------------------------------------------------------------===//
// Constant tensors as the bytes that kernels read.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_CONSTANTBYTES_H
#define STOF_LIB_TARGET_CONSTANTBYTES_H

#include "mlir/IR/Attributes.h"

#include <optional>
#include <string>

namespace stof {

/// The elements of `value`, row-major, a boolean as one byte. Nothing if
/// `value` is null, holds no elements or is a resource whose bytes are missing.
std::optional<std::string> readConstantBytes(mlir::Attribute value);

} // namespace stof

#endif // STOF_LIB_TARGET_CONSTANTBYTES_H

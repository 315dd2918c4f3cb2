//===----------------------------------------------------------------------===//
// Serialization of constant tensors.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_CONSTANTBYTES_H
#define STOF_LIB_TARGET_CONSTANTBYTES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <optional>
#include <string>

namespace stof {

/// The elements of `global`, row-major, a boolean as one byte. None if it has
/// no elements or is a resource without data.
std::optional<std::string> readConstantBytes(mlir::memref::GlobalOp global);

/// Fails with an error at `global` if it is a resource whose size does not
/// match its elements.
mlir::LogicalResult verifyConstantBytes(mlir::memref::GlobalOp global);

} // namespace stof

#endif // STOF_LIB_TARGET_CONSTANTBYTES_H

//===----------------------------------------------------------------------===//
// Constant tensors as the bytes that kernels read.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_CONSTANTBYTES_H
#define STOF_LIB_TARGET_CONSTANTBYTES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <optional>
#include <string>

namespace stof {

/// The elements of `global`, row-major, a boolean as one byte. Nothing if it
/// holds no elements or is a resource whose bytes are missing.
std::optional<std::string> readConstantBytes(mlir::memref::GlobalOp global);

/// Fails with an error at `global` if it is a resource that has more or fewer
/// bytes than its elements take.
mlir::LogicalResult verifyConstantBytes(mlir::memref::GlobalOp global);

} // namespace stof

#endif // STOF_LIB_TARGET_CONSTANTBYTES_H

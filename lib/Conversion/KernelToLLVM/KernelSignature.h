//===----------------------------------------------------------------------===//
// Conversion of kernel signatures to launch parameters.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_KERNELTOLLVM_KERNELSIGNATURE_H
#define STOF_LIB_CONVERSION_KERNELTOLLVM_KERNELSIGNATURE_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace stof {

/// Replaces a kernel by an `llvm.func` with the same body. Each memref becomes
/// a pointer to global memory (aligned to 16 bytes) and an i64 per dynamic
/// dimension; an index becomes an i64. Emits an error at the kernel if a memref
/// is not contiguous.
mlir::LogicalResult convertSignature(mlir::gpu::GPUFuncOp kernel,
                                     const mlir::LLVMTypeConverter &converter);

} // namespace stof

#endif // STOF_LIB_CONVERSION_KERNELTOLLVM_KERNELSIGNATURE_H

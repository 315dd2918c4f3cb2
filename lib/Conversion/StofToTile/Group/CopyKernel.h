//===----------------------------------------------------------------------===//
// The kernel that copies a buffer.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_COPYKERNEL_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_COPYKERNEL_H

#include "stof/Conversion/KernelBuilder.h"

namespace stof {

/// Copies a buffer to one of the same shape.
mlir::LogicalResult emitCopyKernel(KernelBuilder &kernel, mlir::Value from,
                                   mlir::Value to);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_COPYKERNEL_H

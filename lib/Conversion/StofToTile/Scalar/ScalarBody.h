//===----------------------------------------------------------------------===//
// Copies scalar code of tensor-level regions (linalg bodies, predicates,
// scores) into a kernel, where tensors are buffers.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_SCALARBODY_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_SCALARBODY_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof {

/// Reads an element of a tensor without a buffer.
using ElementReader = llvm::function_ref<mlir::Value(mlir::OpBuilder &builder,
                                                     mlir::tensor::ExtractOp op,
                                                     mlir::ValueRange indices)>;

/// Whether a region reads tensors or buffers, for which coordinates must be in
/// bounds.
bool readsTensors(mlir::Region &region);

/// Copies an operation of such a region. Operands are looked up in `values`,
/// results added to it; `coordinates` replace linalg.index.
void copyScalar(mlir::OpBuilder &builder, mlir::Operation &op,
                mlir::IRMapping &values, mlir::ValueRange coordinates = {});

/// Copies `body` without its terminator and returns the yielded values.
/// `values` maps block arguments and scalars to scalars and tensors to buffers,
/// `coordinates` replace linalg.index. Reads of tensors become loads, or calls
/// of `read` for tensors that are not mapped. Assertions are dropped:
/// stof.check covers the conditions of reads.
llvm::SmallVector<mlir::Value> copyScalarBody(mlir::OpBuilder &builder,
                                              mlir::Block &body,
                                              mlir::IRMapping &values,
                                              mlir::ValueRange coordinates,
                                              ElementReader read = nullptr);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_SCALARBODY_H

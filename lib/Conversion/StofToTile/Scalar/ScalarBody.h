//===----------------------------------------------------------------------===//
// Scalar code of tensor-level regions (linalg bodies, predicates, scores)
// inside a kernel, where tensors are buffers.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_SCALARBODY_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_SCALARBODY_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof {

/// Reads an element of a tensor that is no buffer.
using ElementReader = llvm::function_ref<mlir::Value(mlir::OpBuilder &builder,
                                                     mlir::tensor::ExtractOp op,
                                                     mlir::ValueRange indices)>;

/// Whether code reads tensors, at positions that have to exist then.
bool readsTensors(mlir::Region &region);

/// Copies an operation of such a region, operands as in `values`, which is told
/// the results. `coordinates` are what linalg.index asks for.
void copyScalar(mlir::OpBuilder &builder, mlir::Operation &op,
                mlir::IRMapping &values, mlir::ValueRange coordinates = {});

/// Copies the operations of `body` before its terminator and returns what the
/// terminator yields. `values` maps what the body uses: block arguments and
/// scalars to scalars, tensors to buffers, and each linalg.index to
/// `coordinates`. Reads of tensors become loads, of those that are not mapped
/// what `read` makes of them. Assertions are left out: what a read depends on
/// is checked by stof.check.
llvm::SmallVector<mlir::Value> copyScalarBody(mlir::OpBuilder &builder,
                                              mlir::Block &body,
                                              mlir::IRMapping &values,
                                              mlir::ValueRange coordinates,
                                              ElementReader read = nullptr);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_SCALARBODY_H

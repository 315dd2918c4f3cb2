//===----------------------------------------------------------------------===//
// Cloning of an operation whose blocks change on the way.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_CLONEWITHBLOCKS_H
#define STOF_SUPPORT_CLONEWITHBLOCKS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof {

/// Clones `op` with the operands of `values`, to which results and block
/// arguments are added. `copyBlock` fills a clone of each block: the builder
/// inserts at its end. Stops at the first failure.
llvm::LogicalResult cloneWithBlocks(
    mlir::OpBuilder &builder, mlir::Operation &op, mlir::IRMapping &values,
    llvm::function_ref<llvm::LogicalResult(mlir::Block &)> copyBlock);

} // namespace stof

#endif // STOF_SUPPORT_CLONEWITHBLOCKS_H

//===----------------------------------------------------------------------===//
// Optional destinations, shared by group and list_tiles: on buffers `outs` are
// written, on tensors they are the destinations of the results, one for each,
// or absent. An operation without them is no DestinationStyleOpInterface.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_IR_DESTINATIONS_H
#define STOF_LIB_IR_DESTINATIONS_H

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

namespace stof {

/// Verifies that `outs` are buffers and there are no results, or that they are
/// absent or have the types of the results.
mlir::LogicalResult verifyDestinations(mlir::Operation *op,
                                       mlir::ValueRange outs);

/// Whether `operand` is one of `outs`.
bool isDestination(mlir::OpOperand &operand, mlir::MutableOperandRange outs);

/// Adds the effects of `op` on buffers: it reads inputs and writes `outs`.
void addBufferEffects(mlir::Operation *op, mlir::MutableOperandRange outs,
                      llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<
                          mlir::MemoryEffects::Effect>> &effects);

/// The result in the buffer of `operand`.
mlir::bufferization::AliasingValueList
getDestinationAliases(mlir::OpOperand &operand, mlir::Operation *op,
                      mlir::MutableOperandRange outs);

/// The buffer type of a result, which is that of its destination.
mlir::FailureOr<mlir::bufferization::BufferLikeType>
getDestinationType(mlir::Value result, mlir::Operation *op,
                   mlir::ValueRange outs,
                   const mlir::bufferization::BufferizationOptions &options,
                   const mlir::bufferization::BufferizationState &state,
                   llvm::SmallVector<mlir::Value> &invocationStack);

/// Replaces `op` by the same operation on buffers, with its regions as they
/// are. Emits an error if a result has no destination.
mlir::LogicalResult
bufferizeDestinations(mlir::RewriterBase &rewriter, mlir::Operation *op,
                      mlir::MutableOperandRange outs,
                      const mlir::bufferization::BufferizationOptions &options,
                      mlir::bufferization::BufferizationState &state);

} // namespace stof

#endif // STOF_LIB_IR_DESTINATIONS_H

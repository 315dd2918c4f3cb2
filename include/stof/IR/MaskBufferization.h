//===----------------------------------------------------------------------===//
// Bufferization of mask operations: all of them in the same way. A mask has no
// memory of its own; it reads captured buffers at its uses, not at its
// definition, so buffers that are written in between are copied.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_MASKBUFFERIZATION_H
#define STOF_IR_MASKBUFFERIZATION_H

#include "stof/IR/Stof.h"

namespace stof {

namespace detail {
mlir::LogicalResult
copyChangingCaptures(mlir::Operation *mask, mlir::RewriterBase &rewriter,
                     const mlir::bufferization::AnalysisState &analysis,
                     const mlir::bufferization::BufferizationState &state);
mlir::FailureOr<mlir::bufferization::BufferLikeType>
getMaskBufferType(mlir::Operation *mask, mlir::Value value,
                  const mlir::bufferization::BufferizationOptions &options,
                  const mlir::bufferization::BufferizationState &state,
                  llvm::SmallVector<mlir::Value> &invocationStack);
mlir::LogicalResult
bufferizeMask(mlir::Operation *mask, mlir::RewriterBase &rewriter,
              const mlir::bufferization::BufferizationOptions &options,
              mlir::bufferization::BufferizationState &state);
} // namespace detail

/// The bufferization of `ConcreteOp`, a mask operation with tensor operands.
/// Its dialect attaches it:
///
///   DocumentOp::attachInterface<MaskBufferization<DocumentOp>>(*getContext());
template <typename ConcreteOp>
struct MaskBufferization
    : mlir::bufferization::BufferizableOpInterface::ExternalModel<
          MaskBufferization<ConcreteOp>, ConcreteOp> {
  bool
  bufferizesToMemoryRead(mlir::Operation *, mlir::OpOperand &,
                         const mlir::bufferization::AnalysisState &) const {
    return true;
  }
  bool
  bufferizesToMemoryWrite(mlir::Operation *, mlir::OpOperand &,
                          const mlir::bufferization::AnalysisState &) const {
    return false;
  }
  mlir::bufferization::AliasingValueList
  getAliasingValues(mlir::Operation *, mlir::OpOperand &,
                    const mlir::bufferization::AnalysisState &) const {
    return {};
  }
  mlir::LogicalResult
  resolveConflicts(mlir::Operation *op, mlir::RewriterBase &rewriter,
                   const mlir::bufferization::AnalysisState &analysis,
                   const mlir::bufferization::BufferizationState &state) const {
    return detail::copyChangingCaptures(op, rewriter, analysis, state);
  }
  mlir::FailureOr<mlir::bufferization::BufferLikeType>
  getBufferType(mlir::Operation *op, mlir::Value value,
                const mlir::bufferization::BufferizationOptions &options,
                const mlir::bufferization::BufferizationState &state,
                llvm::SmallVector<mlir::Value> &invocationStack) const {
    return detail::getMaskBufferType(op, value, options, state,
                                     invocationStack);
  }
  mlir::LogicalResult
  bufferize(mlir::Operation *op, mlir::RewriterBase &rewriter,
            const mlir::bufferization::BufferizationOptions &options,
            mlir::bufferization::BufferizationState &state) const {
    return detail::bufferizeMask(op, rewriter, options, state);
  }
};

} // namespace stof

#endif // STOF_IR_MASKBUFFERIZATION_H

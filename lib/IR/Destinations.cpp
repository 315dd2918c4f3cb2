//===----------------------------------------------------------------------===//
// Verification, effects and bufferization of optional destinations.
//===----------------------------------------------------------------------===//

#include "Destinations.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace mlir::bufferization;

LogicalResult stof::verifyDestinations(Operation *op, ValueRange outs) {
  bool onBuffers =
      !outs.empty() && llvm::all_of(outs.getTypes(), llvm::IsaPred<MemRefType>);
  if (onBuffers ? op->getNumResults() == 0
                : outs.empty() || outs.getTypes() == op->getResultTypes())
    return success();
  return op->emitOpError()
         << "expects destinations of the types of the results, ("
         << op->getResultTypes() << "), or buffers and no results, but got ("
         << outs.getTypes() << ")";
}

bool stof::isDestination(OpOperand &operand, MutableOperandRange outs) {
  return llvm::any_of(outs, [&](OpOperand &out) { return &out == &operand; });
}

void stof::addBufferEffects(
    Operation *op, MutableOperandRange outs,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (isDestination(operand, outs))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

AliasingValueList stof::getDestinationAliases(OpOperand &operand, Operation *op,
                                              MutableOperandRange outs) {
  for (auto [out, result] : llvm::zip(outs, op->getResults()))
    if (&out == &operand)
      return {{result, BufferRelation::Equivalent}};
  return {};
}

FailureOr<BufferLikeType>
stof::getDestinationType(Value result, Operation *op, ValueRange outs,
                         const BufferizationOptions &options,
                         const BufferizationState &state,
                         SmallVector<Value> &invocationStack) {
  unsigned position = cast<OpResult>(result).getResultNumber();
  if (outs.size() != op->getNumResults())
    return op->emitOpError() << "expects a destination for each result";
  return bufferization::getBufferType(outs[position], options, state,
                                      invocationStack);
}

LogicalResult stof::bufferizeDestinations(RewriterBase &rewriter, Operation *op,
                                          MutableOperandRange outs,
                                          const BufferizationOptions &options,
                                          BufferizationState &state) {
  if (outs.size() != op->getNumResults())
    return op->emitOpError() << "expects a destination for each result";
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (isa<TensorType>(operand.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      operand = *buffer;
    }
    operands.push_back(operand);
  }
  unsigned first = outs.empty() ? 0 : outs.begin()->getOperandNumber();
  ArrayRef<Value> results = ArrayRef(operands).slice(first, outs.size());
  Operation *onBuffers =
      mlir::cloneWithoutRegions(rewriter, op, TypeRange(), operands);
  for (auto [from, to] : llvm::zip(op->getRegions(), onBuffers->getRegions()))
    rewriter.inlineRegionBefore(from, to, to.end());
  replaceOpWithBufferizedValues(rewriter, op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// stof.list_tiles: verification, effects and bufferization.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "Destinations.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace stof;

void ListTilesOp::build(OpBuilder &builder, OperationState &state, Type ranges,
                        Type entries, Value mask, ValueRange sizes,
                        ValueRange layoutOperands, LayoutAttr within) {
  build(builder, state, TypeRange{ranges, entries}, mask, sizes, layoutOperands,
        /*outs=*/ValueRange(), within);
}

LogicalResult ListTilesOp::verify() {
  // (L1)
  if (getSizes().size() != 4)
    return emitOpError() << "expects batches, heads, queries and keys, but got "
                         << getSizes().size() << " sizes";
  // (L2)
  LayoutAttr within = getWithin();
  if (within.getStorage() != LayoutStorage::ClosedForm ||
      within.getLattices() || within.getRowStride() != 1)
    return emitOpError() << "expects a closed form without lattices, but got "
                         << within;
  if (failed(within.verifyOperands(*this, getLayoutOperands())))
    return failure();
  // (L4)
  if (failed(verifyDestinations(*this, getOuts())))
    return failure();
  TypeRange tables =
      getNumResults() == 0 ? TypeRange(getOuts()) : TypeRange(getResultTypes());
  if (tables.size() != 2 || cast<ShapedType>(tables[0]).getRank() != 4 ||
      cast<ShapedType>(tables[1]).getRank() != 1)
    return emitOpError()
           << "expects ranges of rank 4 and entries of rank 1, but got ("
           << tables << ")";
  // (L3)
  if (getRangesType().getDimSize(3) != LayoutAttr::rangeSize)
    return emitOpError() << "expects ranges with a last dimension of "
                         << LayoutAttr::rangeSize << ", but got "
                         << getRangesType();
  return success();
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

void ListTilesOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addBufferEffects(*this, getOutsMutable(), effects);
  // The mask is evaluated here, which reads its captured buffers.
  if (mayReadBuffers(getMask()))
    effects.emplace_back(MemoryEffects::Read::get());
}

Speculation::Speculatability ListTilesOp::getSpeculatability() {
  return getNumResults() == 0 ? Speculation::NotSpeculatable
                              : Speculation::Speculatable;
}

bool ListTilesOp::bufferizesToMemoryRead(OpOperand &operand,
                                         const AnalysisState &) {
  return !isDestination(operand, getOutsMutable());
}

bool ListTilesOp::bufferizesToMemoryWrite(OpOperand &operand,
                                          const AnalysisState &) {
  return isDestination(operand, getOutsMutable());
}

AliasingValueList ListTilesOp::getAliasingValues(OpOperand &operand,
                                                 const AnalysisState &) {
  return getDestinationAliases(operand, *this, getOutsMutable());
}

FailureOr<BufferLikeType>
ListTilesOp::getBufferType(Value value, const BufferizationOptions &options,
                           const BufferizationState &state,
                           SmallVector<Value> &invocationStack) {
  return getDestinationType(value, *this, getOuts(), options, state,
                            invocationStack);
}

LogicalResult ListTilesOp::bufferize(RewriterBase &rewriter,
                                     const BufferizationOptions &options,
                                     BufferizationState &state) {
  return bufferizeDestinations(rewriter, *this, getOutsMutable(), options,
                               state);
}

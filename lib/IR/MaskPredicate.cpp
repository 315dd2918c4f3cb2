//===----------------------------------------------------------------------===//
// Predicates of masks as operations.
//===----------------------------------------------------------------------===//

#include "stof/IR/MaskPredicate.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

MaskPredicate::MaskPredicate(MaskOpInterface mask) : mask(mask) {
  assert(mask && "expects a mask operation");
  if (Region *region = mask.getPredicateRegion()) {
    body = &region->front();
    return;
  }
  OpBuilder builder(mask.getContext());
  emitted = MaskOp::create(
      builder, mask.getLoc(), cast<MaskType>(mask->getResult(0).getType()),
      mask->getOperands(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        return mask.emitPredicate(inner, loc,
                                  arguments.take_front(MaskOp::numCoordinates),
                                  arguments.drop_front(MaskOp::numCoordinates));
      });
  body = &emitted->getPredicate().front();
}

MaskOp MaskPredicate::copy(OpBuilder &builder, MaskType type,
                           IRMapping &copies) const {
  return MaskOp::create(builder, mask->getLoc(), type, getCaptures(),
                        [&](OpBuilder &inner, Location, ValueRange arguments) {
                          copies.map(body->getArguments(), arguments);
                          for (Operation &op : body->without_terminator())
                            inner.clone(op, copies);
                          return copies.lookupOrDefault(getResult());
                        });
}

SmallVector<Value> stof::inlineBody(OpBuilder &builder, Region &body,
                                    ValueRange arguments) {
  Block &block = body.front();
  assert(block.getNumArguments() == arguments.size() &&
         "expects a value for each argument");
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

Value stof::emitElement(OpBuilder &builder, Location loc, Value captured,
                        ValueRange indices) {
  if (isa<MemRefType>(captured.getType()))
    return memref::LoadOp::create(builder, loc, captured, indices);
  return tensor::ExtractOp::create(builder, loc, captured, indices);
}

Value stof::emitSize(OpBuilder &builder, Location loc, Value captured,
                     int64_t dim) {
  if (isa<MemRefType>(captured.getType()))
    return memref::DimOp::create(builder, loc, captured, dim);
  return tensor::DimOp::create(builder, loc, captured, dim);
}

//===----------------------------------------------------------------------===//
// Copies scalar code of tensor-level regions into a kernel.
//===----------------------------------------------------------------------===//

#include "ScalarBody.h"
#include "stof/Support/CloneWithBlocks.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

namespace {

/// Copies operations into a kernel, with their regions.
class ScalarCopier {
public:
  ScalarCopier(IRMapping &values, ValueRange coordinates, ElementReader read)
      : values(values), coordinates(coordinates), read(read) {}

  void copyBlock(OpBuilder &builder, Block &from) {
    for (Operation &op : from.without_terminator())
      copy(builder, op);
  }

  void copy(OpBuilder &builder, Operation &op);

private:
  IRMapping &values;
  ValueRange coordinates;
  ElementReader read;
};

void ScalarCopier::copy(OpBuilder &builder, Operation &op) {
  Location loc = op.getLoc();
  if (isa<cf::AssertOp>(op))
    return;
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    values.map(index.getResult(), coordinates[index.getDim()]);
    return;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Value> indices;
    for (Value at : extract.getIndices())
      indices.push_back(values.lookupOrDefault(at));
    Value buffer = values.lookupOrNull(extract.getTensor());
    Value element = buffer
                        ? memref::LoadOp::create(builder, loc, buffer, indices)
                        : read(builder, extract, indices);
    values.map(extract.getResult(), element);
    return;
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    Value buffer = values.lookup(dim.getSource());
    values.map(dim.getResult(),
               memref::DimOp::create(builder, loc, buffer,
                                     values.lookupOrDefault(dim.getIndex()))
                   .getResult());
    return;
  }
  (void)cloneWithBlocks(builder, op, values, [&](Block &block) {
    copyBlock(builder, block);
    if (block.mightHaveTerminator())
      copy(builder, *block.getTerminator());
    return success();
  });
}

} // namespace

bool stof::readsTensors(Region &region) {
  WalkResult result = region.walk([](Operation *op) {
    bool reads = !isa<tensor::DimOp, memref::DimOp>(op) &&
                 llvm::any_of(op->getOperandTypes(),
                              llvm::IsaPred<TensorType, BaseMemRefType>);
    return reads ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

void stof::copyScalar(OpBuilder &builder, Operation &op, IRMapping &values,
                      ValueRange coordinates) {
  ScalarCopier(values, coordinates, /*read=*/nullptr).copy(builder, op);
}

SmallVector<Value> stof::copyScalarBody(OpBuilder &builder, Block &body,
                                        IRMapping &values,
                                        ValueRange coordinates,
                                        ElementReader read) {
  ScalarCopier(values, coordinates, read).copyBlock(builder, body);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(values.lookupOrDefault(value));
  return yielded;
}

//===----------------------------------------------------------------------===//
// A group and the kernel that is being built from it.
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"
#include "ScalarBody.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

GroupContext::GroupContext(KernelBuilder &kernel, GroupOp group,
                           const IRMapping &buffers, ValueRange results)
    : builder(kernel), group(group), results(results) {
  Block &body = group.getBody().front();
  for (auto [argument, input] :
       llvm::zip(body.getArguments(), group.getInputs()))
    hostValues.map(argument, buffers.lookup(input));
}

Value GroupContext::lookup(Value value) {
  if (Value known = kernelValues.lookupOrNull(value))
    return known;
  if (isa<BlockArgument>(value)) {
    Value argument = builder.getArgument(hostValues.lookup(value));
    kernelValues.map(value, argument);
    return argument;
  }
  // A scalar that the group computes: copied with what it needs.
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    lookup(operand);
  OpBuilder &body = builder.body();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Value> indices;
    for (Value index : extract.getIndices())
      indices.push_back(kernelValues.lookup(index));
    kernelValues.map(
        value, memref::LoadOp::create(body, op->getLoc(),
                                      kernelValues.lookup(extract.getTensor()),
                                      indices)
                   .getResult());
  } else {
    body.clone(*op, kernelValues);
  }
  return kernelValues.lookup(value);
}

void GroupContext::bindCaptured(Region &region, IRMapping &values) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region, captured);
  for (Value value : captured)
    values.map(value, lookup(value));
}

Value GroupContext::getHostBuffer(OpOperand &operand) {
  if (isa<BlockArgument>(operand.get()))
    return hostValues.lookup(operand.get());
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  if (!op.isDpsInit(&operand))
    return {};
  // The last operation writes the results; the accumulator of a contraction has
  // the shape of the first result that its epilogue makes of it.
  linalg::LinalgOp last;
  for (auto next : group.getBody().front().getOps<linalg::LinalgOp>())
    last = next;
  return results[op == last ? operand.getOperandNumber() -
                                  op.getDpsInitOperand(0)->getOperandNumber()
                            : 0];
}

FailureOr<SmallVector<OpFoldResult>>
GroupContext::getLoopSizes(linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  OpBuilder &host = builder.host();
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (!ShapedType::isDynamic(size))
      sizes[loop] = host.getIndexAttr(size);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    Value buffer = getHostBuffer(operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (loop && buffer && !sizes[loop.getPosition()])
        sizes[loop.getPosition()] =
            memref::getMixedSize(host, builder.loc(), buffer, dim);
    }
  }
  if (llvm::any_of(sizes, [](OpFoldResult size) { return !size; }))
    return op->emitOpError()
           << "cannot be compiled: the extent of a loop is not the size of an "
              "operand";
  return sizes;
}

Value GroupContext::loadElement(OpBuilder &body, OpOperand &operand,
                                ValueRange coordinates) {
  Value source = lookup(operand.get());
  auto type = dyn_cast<MemRefType>(source.getType());
  if (!type)
    return source;
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(affine::expandAffineExpr(
        body, builder.loc(), expr, coordinates, /*symbolValues=*/{}));
  return memref::LoadOp::create(body, builder.loc(), source, indices);
}

//===----------------------------------------------------------------------===//
// Lowers scatters, which update their original in place or a copy of it, and
// returns, where results may take over the buffers of donated arguments.
//===----------------------------------------------------------------------===//

#include "../Scatter/ScatterKernel.h"
#include "DescribeKernel.h"
#include "FunctionLowering.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace stof;

LogicalResult FunctionLowering::lowerScatter(ScatterOp op) {
  Location loc = op.getLoc();
  ScatterBuffers buffers;
  buffers.updates = values.lookup(op.getUpdates());
  for (Value index : op.getIndices())
    buffers.indices.push_back(values.lookup(index));
  Value original = values.lookup(op.getOriginal());
  if (scatters->isInPlace(op)) {
    buffers.original = original;
    remark::passed(loc, remark::RemarkOpts::name("UpdatedInPlace")
                            .category("stof-lower-to-tile"))
        << remark::add("{0} is updated in place", op.getOriginalType());
  } else {
    buffers.original =
        allocate(op.getResult(), memref::getMixedSizes(host, loc, original));
    remark::missed(loc, remark::RemarkOpts::name("CopiedOriginal")
                            .category("stof-lower-to-tile"))
        << remark::reason("{0}", scatters->getReason(op));
    if (failed(copy(loc, original, buffers.original)))
      return failure();
  }
  values.map(op.getResult(), buffers.original);
  KernelBuilder kernel(kernels, nextKernelName("scatter"), loc, scatterWarps(),
                       host);
  kernel.setOperations(op->getName().getStringRef());
  if (failed(emitScatterKernel(kernel, op, buffers, target))) {
    kernel.abandon();
    return failure();
  }
  describeScatter(kernel, op);
  return success();
}

Value FunctionLowering::getResultBuffer(unsigned position) {
  if (std::optional<unsigned> argument = donations[position])
    return hostFunction.getArgument(*argument);
  return hostFunction.getArgument(function.getNumArguments() + position);
}

Value FunctionLowering::findMaker(Value value) const {
  for (;;) {
    value = skipReshapes(value);
    auto scatter = value.getDefiningOp<ScatterOp>();
    if (!scatter || !scatters->isInPlace(scatter))
      return value;
    value = scatter.getOriginal();
  }
}

bool FunctionLowering::isInResultBuffer(unsigned position, Value value) {
  Value maker = findMaker(value);
  if (std::optional<unsigned> argument = donations[position])
    return maker == function.getArgument(*argument);
  auto found = returned.find(maker);
  return found != returned.end() && found->second == position;
}

FailureOr<Value> FunctionLowering::copyAside(Location loc, Value from) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(memref::getMixedSizes(host, loc, from), dynamic,
                             shape);
  Type element = cast<MemRefType>(from.getType()).getElementType();
  Value aside = memref::AllocOp::create(
      host, loc, MemRefType::get(shape, element), dynamic);
  if (failed(copy(loc, from, aside)))
    return failure();
  return aside;
}

LogicalResult FunctionLowering::lowerReturn(func::ReturnOp op) {
  Location loc = op.getLoc();
  SmallVector<std::pair<unsigned, Value>> others, donated;
  for (auto [position, value] : llvm::enumerate(op.getOperands()))
    if (!isInResultBuffer(position, value))
      (donations[position] ? donated : others)
          .emplace_back(position, values.lookup(value));
  for (auto &[position, buffer] : donated) {
    remark::missed(
        loc,
        remark::RemarkOpts::name("CopiedResult").category("stof-lower-to-tile"))
        << remark::reason("result {0} is not argument {1} updated in place",
                          position, *donations[position]);
    // Several donated results may permute arguments, so they go through copies.
    Value first = scatters->getFirst(op.getOperand(position));
    if (donated.size() == 1 || !isa<BlockArgument>(first))
      continue;
    FailureOr<Value> aside = copyAside(loc, buffer);
    if (failed(aside))
      return failure();
    buffer = *aside;
  }
  // Donated buffers are overwritten last, as other results may still read them.
  llvm::append_range(others, donated);
  for (auto [position, buffer] : others)
    if (failed(copy(loc, buffer, getResultBuffer(position))))
      return failure();
  func::ReturnOp::create(host, loc);
  return success();
}

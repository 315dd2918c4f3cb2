//===----------------------------------------------------------------------===//
// Lowers computation on tensors to buffers, kernels and their launches.
//===----------------------------------------------------------------------===//

#include "../Attention/AttentionKernel.h"
#include "../Attention/TableKernel.h"
#include "../Group/CopyKernel.h"
#include "../Group/GroupKernels.h"
#include "DescribeKernel.h"
#include "FunctionLowering.h"
#include "stof/CostModel/FeasibleTiles.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

FailureOr<SmallVector<OpFoldResult>>
FunctionLowering::sizesOfResult(GroupOp group, OpResult result) {
  auto type = cast<RankedTensorType>(result.getType());
  if (type.hasStaticShape())
    return getMixedValues(type.getShape(), {}, host);
  Value init = result;
  while (auto op = init.getDefiningOp<linalg::LinalgOp>())
    init = op.getDpsInits()[cast<OpResult>(init).getResultNumber()];
  auto toHost = [&](Value value) {
    return values.lookup(
        group.getInputs()[cast<BlockArgument>(value).getArgNumber()]);
  };
  if (isa<BlockArgument>(init))
    return memref::getMixedSizes(host, group.getLoc(), toHost(init));
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return group.emitOpError() << "cannot be compiled: the sizes of result "
                               << result.getResultNumber() << " are not known";
  SmallVector<OpFoldResult> sizes;
  for (OpFoldResult size : empty.getMixedSizes()) {
    auto value = dyn_cast<Value>(size);
    if (value && !isa<BlockArgument>(value))
      return group.emitOpError()
             << "cannot be compiled: the sizes of result "
             << result.getResultNumber() << " are not known to the host";
    sizes.push_back(value ? OpFoldResult(toHost(value)) : size);
  }
  return sizes;
}

FailureOr<IRMapping>
FunctionLowering::allocateResults(GroupOp group,
                                  const GroupBranches &branches) {
  Operation *yield = group.getBody().front().getTerminator();
  SmallVector<OpResult> computed = branches.getResults();
  IRMapping buffers;
  for (auto [position, value] : llvm::enumerate(yield->getOperands())) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !llvm::is_contained(computed, result) ||
        buffers.contains(result))
      return group.emitOpError()
             << "cannot be compiled: expects result " << position
             << " to be a distinct result of one of its operations";
    FailureOr<SmallVector<OpFoldResult>> sizes = sizesOfResult(group, result);
    if (failed(sizes))
      return failure();
    Value buffer = allocate(group.getResult(position), *sizes);
    values.map(group.getResult(position), buffer);
    buffers.map(result, buffer);
  }
  return buffers;
}

Value FunctionLowering::allocate(Value value, ArrayRef<OpFoldResult> sizes) {
  Location loc = value.getLoc();
  MemRefType type = bufferType(value.getType());
  if (auto found = returned.find(value); found != returned.end()) {
    Value result =
        hostFunction.getArgument(function.getNumArguments() + found->second);
    return result.getType() == type ? result
                                    : reshapeBuffer(host, loc, result, sizes);
  }
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(host, loc, size));
  return memref::AllocOp::create(host, loc, type, dynamic);
}

LogicalResult FunctionLowering::lowerGroup(GroupOp group) {
  SmallVector<Operation *> members;
  for (Operation &op : group.getBody().front().without_terminator()) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && !linalgOp.hasPureTensorSemantics())
      return op.emitOpError() << "cannot be compiled: expects tensors";
    members.push_back(&op);
  }
  PlanResult<GroupBranches> planned = planGroup(members, target);
  if (!planned) {
    const Refusal &refusal = planned.getRefusal();
    Operation *culprit = refusal.op ? refusal.op : group;
    return culprit->emitOpError() << "cannot be compiled: " << refusal.reason;
  }
  const GroupBranches &branches = *planned;
  if (branches.isAttention())
    return group.emitOpError()
           << "cannot be compiled: expects attention outside of groups";
  FailureOr<IRMapping> results = allocateResults(group, branches);
  if (failed(results))
    return failure();
  auto names =
      llvm::map_to_vector(branches.getOperations(), [](linalg::LinalgOp op) {
        return op->getName().getStringRef();
      });
  linalg::LinalgOp main = branches.getBranches().front().getMainOperation();
  std::string what = main->getName().stripDialect().str();
  SmallVector<GroupShape> shapes = shapesOfGroup(branches, target);
  KernelBuilder kernel(kernels, nextKernelName(what), group.getLoc(),
                       shapes.front().warps, host);
  kernel.setOperations(names);
  if (failed(
          emitGroupKernel(kernel, group, branches, shapes, values, *results))) {
    kernel.abandon();
    return failure();
  }
  describeGroup(kernel, branches, shapes);
  return success();
}

LogicalResult FunctionLowering::lowerAttention(AttentionOp op) {
  // The operands are tensors: sources of buffers have been rejected before.
  SmallVector<Value> results;
  for (auto [result, init] : llvm::zip(op.getResults(), op.getDpsInits())) {
    auto empty = init.getDefiningOp<tensor::EmptyOp>();
    SmallVector<OpFoldResult> sizes;
    auto type = cast<RankedTensorType>(result.getType());
    if (empty) {
      for (OpFoldResult size : empty.getMixedSizes())
        sizes.push_back(isa<Value>(size)
                            ? OpFoldResult(values.lookup(cast<Value>(size)))
                            : size);
    } else if (Value buffer = values.lookupOrNull(init)) {
      sizes = memref::getMixedSizes(host, op.getLoc(), buffer);
    } else {
      sizes = getMixedValues(type.getShape(), {}, host);
    }
    results.push_back(allocate(result, sizes));
    values.map(result, results.back());
  }
  AttentionPartials partials = allocatePartials(host, op, values);
  KernelBuilder kernel(kernels, nextKernelName("attention"), op.getLoc(),
                       attentionWarps(op), host);
  kernel.setOperations(op->getName().getStringRef());
  if (failed(
          emitAttentionKernel(kernel, op, values, results, partials, target))) {
    kernel.abandon();
    return failure();
  }
  describeAttention(kernel, op, values, target);
  if (!partials)
    return success();
  KernelBuilder merge(kernels, nextKernelName("merge"), op.getLoc(),
                      attentionWarps(op), host);
  merge.setOperations(op->getName().getStringRef());
  if (failed(emitCombineKernel(merge, op, values, results, partials, target))) {
    merge.abandon();
    return failure();
  }
  describeMerge(merge, partials);
  return success();
}

LogicalResult FunctionLowering::lowerListTiles(ListTilesOp op) {
  Location loc = op.getLoc();
  LayoutAttr within = op.getWithin();
  auto size = [&](unsigned number) {
    return getAsOpFoldResult(values.lookup(op.getSizes()[number]));
  };
  // A list that all batches or heads share has size 1 along them, in the type
  // as well.
  RankedTensorType type = op.getRanges().getType();
  SmallVector<OpFoldResult> extents{
      type.getDimSize(0) == 1 ? host.getIndexAttr(1) : size(0),
      type.getDimSize(1) == 1 ? host.getIndexAttr(1) : size(1),
      ceilDiv(host, loc, size(2), within.getRowTile()), host.getIndexAttr(2)};
  TableBuffers buffers;
  buffers.ranges = allocate(op.getRanges(), extents);
  // Capacity for every tile, and one more entry for a mainloop that reads
  // ahead.
  extents.back() = ceilDiv(host, loc, size(3), within.getColTile());
  AffineExpr count = getAffineSymbolExpr(0, host.getContext());
  OpFoldResult capacity = affine::makeComposedFoldedAffineApply(
      host, loc, count + 1, {productOf(host, loc, extents)});
  buffers.entries = allocate(op.getEntries(), capacity);
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  buffers.flags = memref::AllocOp::create(
      host, loc, MemRefType::get(shape, host.getI8Type()), dynamic);
  values.map(op.getRanges(), buffers.ranges);
  values.map(op.getEntries(), buffers.entries);
  StringRef name = op->getName().getStringRef();
  KernelBuilder flags(kernels, nextKernelName("flags"), loc, flagWarps(), host);
  flags.setOperations(name);
  if (failed(emitFlagKernel(flags, op, values, buffers))) {
    flags.abandon();
    return failure();
  }
  describeFlags(flags, op);
  KernelBuilder lists(kernels, nextKernelName("tiles"), loc, /*numWarps=*/1,
                      host);
  lists.setOperations(name);
  if (failed(emitListKernel(lists, op, values, buffers))) {
    lists.abandon();
    return failure();
  }
  describeLists(lists, op);
  return success();
}

LogicalResult FunctionLowering::lowerConstant(arith::ConstantOp op) {
  if (!isa<ShapedType>(op.getType())) {
    host.clone(*op, values);
    return success();
  }
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return op.emitOpError() << "cannot be compiled: expects a ranked tensor, "
                               "but got "
                            << op.getType();
  OpBuilder builder(hostFunction);
  auto global = memref::GlobalOp::create(
      builder, op.getLoc(), (function.getName() + "_constant").str(),
      builder.getStringAttr("private"), bufferType(type), op.getValue(),
      /*constant=*/true, /*alignment=*/IntegerAttr());
  symbols.insert(global);
  values.map(op.getResult(),
             memref::GetGlobalOp::create(host, op.getLoc(), bufferType(type),
                                         global.getSymName())
                 .getResult());
  return success();
}

LogicalResult FunctionLowering::copy(Location loc, Value from, Value to) {
  KernelBuilder kernel(kernels, nextKernelName("copy"), loc, /*numWarps=*/4,
                       host);
  kernel.setOperations(StringRef("linalg.copy"));
  if (failed(emitCopyKernel(kernel, from, to))) {
    kernel.abandon();
    return failure();
  }
  describeCopy(kernel, from);
  return success();
}

//===----------------------------------------------------------------------===//
// A group and the kernel that is being built from it.
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"
#include "ScalarBody.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

GroupContext::GroupContext(KernelBuilder &kernel, GroupOp group,
                           const GroupPlan &plan, StringRef chip,
                           const IRMapping &buffers, const IRMapping &results)
    : builder(kernel), plan(plan), chip(chip), results(results) {
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
    if (!plan.isInner(value))
      values.map(value, lookup(value));
}

OpFoldResult GroupContext::tryHostSize(const DigitExtent &extent) const {
  OpBuilder &host = builder.host();
  if (extent.isStatic())
    return host.getIndexAttr(extent.size);
  if (extent.index) {
    if (std::optional<int64_t> known = getConstantIntValue(extent.index))
      return host.getIndexAttr(*known);
    Value index = hostValues.lookupOrNull(extent.index);
    if (index && !index.getType().isIndex())
      index = arith::IndexCastOp::create(host, builder.loc(),
                                         host.getIndexType(), index);
    return index;
  }
  Value buffer =
      extent.tensor ? hostValues.lookupOrNull(extent.tensor) : Value();
  if (!buffer)
    return {};
  return memref::getMixedSize(host, builder.loc(), buffer, extent.dim);
}

LogicalResult GroupContext::checkInputs() const {
  auto isKnown = [&](Value value) {
    return !isa<ShapedType>(value.getType()) || isa<BlockArgument>(value) ||
           plan.isInner(value);
  };
  for (linalg::LinalgOp op : plan.getOperations()) {
    llvm::SetVector<Value> read;
    getUsedValuesDefinedAbove(op->getRegions(), read);
    for (OpOperand &operand : op->getOpOperands())
      if (!operand.get().getDefiningOp<linalg::FillOp>() &&
          op.payloadUsesValueFromOperand(&operand))
        read.insert(operand.get());
    for (Value value : read)
      if (!isKnown(value))
        return op->emitOpError()
               << "cannot be compiled: it reads a tensor that "
                  "its group neither takes nor computes";
  }
  return success();
}

LogicalResult GroupContext::checkSizes() const {
  for (linalg::LinalgOp op : plan.getOperations())
    for (unsigned digit : plan.getIterationDigits(op))
      if (!tryHostSize(plan.getExtent(digit)))
        return op->emitOpError() << "cannot be compiled: the extent of a loop "
                                    "is not the size of an operand";
  return success();
}

OpFoldResult GroupContext::getHostSize(ArrayRef<unsigned> digits) {
  for (const auto &[known, size] : sizes)
    if (ArrayRef(known) == digits)
      return size;
  SmallVector<OpFoldResult> factors;
  for (unsigned digit : digits)
    factors.push_back(digits.size() == 1 ? tryHostSize(plan.getExtent(digit))
                                         : getHostSize(digit));
  OpFoldResult size =
      digits.size() == 1
          ? factors.front()
          : productOf(builder.host(), builder.loc(), ArrayRef(factors));
  sizes.emplace_back(digits, size);
  return size;
}

Value GroupContext::getSize(ArrayRef<unsigned> digits) {
  return builder.getSize(getHostSize(digits));
}

std::optional<TileView> GroupContext::viewTile(Value buffer,
                                               ArrayRef<unsigned> digits,
                                               ArrayRef<Digits> axes,
                                               bool hasUnitColumns) {
  TileView view;
  view.dims.resize(axes.size());
  SmallVector<Digits> dims;
  auto append = [&](ArrayRef<unsigned> run, std::optional<unsigned> digit) {
    view.digits.push_back(digit);
    dims.emplace_back(run);
  };
  // In front they leave the last dimension contiguous.
  for (auto [axis, run] : llvm::enumerate(axes))
    if (run.empty() && (axis == 0 || hasUnitColumns)) {
      view.dims[axis] = dims.size();
      append({}, std::nullopt);
    }
  while (!digits.empty()) {
    const auto *axis = llvm::find_if(axes, [&](const Digits &run) {
      return llvm::is_contained(run, digits.front());
    });
    if (axis == axes.end()) {
      append(digits.front(), digits.front());
      digits = digits.drop_front();
      continue;
    }
    if (digits.take_front(axis->size()) != ArrayRef(*axis))
      return std::nullopt;
    view.dims[axis - axes.begin()] = dims.size();
    append(*axis, std::nullopt);
    digits = digits.drop_front(axis->size());
  }
  for (const Shown &known : shown)
    if (known.buffer == buffer && known.dims == dims) {
      view.memory = known.memory;
      return view;
    }
  SmallVector<OpFoldResult> sizes = llvm::map_to_vector(
      dims, [&](const Digits &run) { return getHostSize(run); });
  view.memory = builder.getArgument(
      reshapeBuffer(builder.host(), builder.loc(), buffer, sizes));
  shown.push_back({buffer, dims, view.memory});
  return view;
}

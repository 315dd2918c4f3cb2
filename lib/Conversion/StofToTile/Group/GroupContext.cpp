//===----------------------------------------------------------------------===//
// A group and the kernel that is being built from it.
//===----------------------------------------------------------------------===//

#include "../Scalar/ScalarBody.h"
#include "GroupKernels.h"
#include "stof/Fusion/TensorView.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

GroupContext::GroupContext(KernelBuilder &kernel, GroupOp group,
                           const GroupPlan &plan, const IRMapping &buffers,
                           const IRMapping &results)
    : builder(kernel), plan(plan), results(results) {
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
  return builder.getHostSize(buffer, extent.dim);
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

/// The dimensions of a tile's view: what counts each of them.
static std::optional<SmallVector<Digits>>
divideIntoAxes(TileView &view, ArrayRef<unsigned> digits, ArrayRef<Digits> axes,
               bool hasUnitColumns) {
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
  return dims;
}

Value GroupContext::show(Value buffer, ArrayRef<Digits> dims,
                         function_ref<Value()> reshape) {
  for (const Shown &known : shown)
    if (known.buffer == buffer && ArrayRef(known.dims) == dims)
      return known.memory;
  Value reshaped = reshape();
  if (!reshaped)
    return {};
  Value memory = builder.getArgument(reshaped);
  shown.push_back({buffer, SmallVector<Digits>(dims), memory});
  return memory;
}

std::optional<TileView> GroupContext::viewTile(Value buffer,
                                               ArrayRef<unsigned> digits,
                                               ArrayRef<Digits> axes,
                                               bool hasUnitColumns) {
  TileView view;
  std::optional<SmallVector<Digits>> dims =
      divideIntoAxes(view, digits, axes, hasUnitColumns);
  if (!dims)
    return std::nullopt;
  view.memory = show(buffer, *dims, [&] {
    SmallVector<OpFoldResult> sizes = llvm::map_to_vector(
        *dims, [&](const Digits &run) { return getHostSize(run); });
    return builder.reshape(buffer, sizes);
  });
  return view;
}

std::optional<TileView> GroupContext::viewOperand(OpOperand &operand,
                                                  ArrayRef<Digits> axes,
                                                  bool hasUnitColumns) {
  std::optional<SmallVector<Digits>> from = plan.getOperandDims(operand);
  if (!from)
    return std::nullopt;
  Digits digits;
  for (const Digits &dim : *from)
    llvm::append_range(digits, dim);
  Value buffer = getHostBuffer(operand.get());
  if (!isSlice(buffer))
    return viewTile(buffer, digits, axes, hasUnitColumns);
  TileView view;
  std::optional<SmallVector<Digits>> dims =
      divideIntoAxes(view, digits, axes, hasUnitColumns);
  if (!dims || dims->empty())
    return std::nullopt;
  view.memory =
      show(buffer, *dims, [&] { return reshapeSlice(buffer, *from, *dims); });
  return view.memory ? std::optional(view) : std::nullopt;
}

Value GroupContext::reshapeSlice(Value buffer, ArrayRef<Digits> from,
                                 ArrayRef<Digits> to) {
  // Divided into digits, those of one element kept and new ones in front, the
  // buffer has dimensions of which each of the result is some.
  OpBuilder &host = builder.host();
  SmallVector<ReassociationIndices> parts(from.size()), runs;
  SmallVector<OpFoldResult> sizes;
  auto divide = [&](unsigned dim, OpFoldResult size) {
    parts[dim].push_back(sizes.size());
    runs.back().push_back(sizes.size());
    sizes.push_back(size);
  };
  size_t left = 0;
  auto startRun = [&] {
    left = to[runs.size()].size();
    runs.emplace_back();
  };
  startRun();
  while (left == 0) {
    divide(/*dim=*/0, host.getIndexAttr(1));
    if (runs.size() == to.size())
      break;
    startRun();
  }
  for (auto [dim, digits] : llvm::enumerate(from)) {
    if (digits.empty())
      divide(dim, host.getIndexAttr(1));
    for (unsigned digit : digits) {
      if (left == 0)
        startRun();
      divide(dim, getHostSize(digit));
      --left;
    }
  }

  auto type = cast<MemRefType>(buffer.getType());
  FailureOr<MemRefType> divided = memref::ExpandShapeOp::computeExpandedType(
      type, decomposeMixedValues(sizes).first, parts);
  if (failed(divided) || !isCollapsible(*divided, runs))
    return {};
  if (divided->getRank() != type.getRank())
    buffer = memref::ExpandShapeOp::create(host, builder.loc(), *divided,
                                           buffer, parts, sizes);
  if (runs.size() != sizes.size())
    buffer = memref::CollapseShapeOp::create(host, builder.loc(), buffer, runs);
  return buffer;
}

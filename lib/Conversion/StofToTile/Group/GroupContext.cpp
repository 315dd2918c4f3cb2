//===----------------------------------------------------------------------===//
// A group and the kernel under construction.
//===----------------------------------------------------------------------===//

#include "GroupContext.h"
#include "../Scalar/ScalarBody.h"
#include "stof/Fusion/TensorView.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

GroupContext::GroupContext(KernelBuilder &kernel, GroupOp group,
                           const GroupPlan &plan, const IRMapping &results)
    : builder(kernel), plan(plan), results(results) {
  Block &body = group.getBody().front();
  for (auto [argument, input] :
       llvm::zip(body.getArguments(), group.getInputs()))
    hostValues.map(argument, input);
}

Value GroupContext::lookup(Value value) {
  if (Value known = kernelValues.lookupOrNull(value))
    return known;
  if (isa<BlockArgument>(value)) {
    Value argument = builder.getArgument(hostValues.lookup(value));
    kernelValues.map(value, argument);
    return argument;
  }
  // A scalar that the group computes is cloned with its operands.
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

OpFoldResult GroupContext::tryHostSize(const FactorExtent &extent) const {
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
    for (unsigned dimFactor : plan.getIterationDimFactors(op))
      if (!tryHostSize(plan.getExtent(dimFactor)))
        return op->emitOpError() << "cannot be compiled: the extent of a loop "
                                    "is not the size of an operand";
  return success();
}

OpFoldResult GroupContext::getHostSize(ArrayRef<unsigned> dimFactors) {
  for (const auto &[known, size] : sizes)
    if (ArrayRef(known) == dimFactors)
      return size;
  SmallVector<OpFoldResult> factors;
  for (unsigned dimFactor : dimFactors)
    factors.push_back(dimFactors.size() == 1
                          ? tryHostSize(plan.getExtent(dimFactor))
                          : getHostSize(dimFactor));
  OpFoldResult size =
      dimFactors.size() == 1
          ? factors.front()
          : productOf(builder.host(), builder.loc(), ArrayRef(factors));
  assert(size && "checkSizes refuses unknown extents");
  sizes.emplace_back(dimFactors, size);
  return size;
}

Value GroupContext::getSize(ArrayRef<unsigned> dimFactors) {
  return builder.getSize(getHostSize(dimFactors));
}

/// Fills the dimensions of `view`; returns the dim factors of each, or nullopt
/// if an axis is not contiguous in `dimFactors`.
static std::optional<SmallVector<DimFactors>>
divideIntoAxes(TileView &view, ArrayRef<unsigned> dimFactors,
               ArrayRef<DimFactors> axes, bool hasUnitColumns) {
  view.dims.resize(axes.size());
  SmallVector<DimFactors> dims;
  auto append = [&](ArrayRef<unsigned> dim, std::optional<unsigned> dimFactor) {
    view.dimFactors.push_back(dimFactor);
    dims.emplace_back(dim);
  };
  // Unit dimensions go first to keep the last dimension contiguous.
  for (auto [axis, factors] : llvm::enumerate(axes))
    if (factors.empty() && (axis == 0 || hasUnitColumns)) {
      view.dims[axis] = dims.size();
      append({}, std::nullopt);
    }
  while (!dimFactors.empty()) {
    const auto *axis = llvm::find_if(axes, [&](const DimFactors &factors) {
      return llvm::is_contained(factors, dimFactors.front());
    });
    if (axis == axes.end()) {
      append(dimFactors.front(), dimFactors.front());
      dimFactors = dimFactors.drop_front();
      continue;
    }
    if (dimFactors.take_front(axis->size()) != ArrayRef(*axis))
      return std::nullopt;
    view.dims[axis - axes.begin()] = dims.size();
    append(*axis, std::nullopt);
    dimFactors = dimFactors.drop_front(axis->size());
  }
  return dims;
}

Value GroupContext::show(Value buffer, ArrayRef<DimFactors> dims,
                         function_ref<Value()> reshape) {
  for (const Shown &known : shown)
    if (known.buffer == buffer && ArrayRef(known.dims) == dims)
      return known.memory;
  Value reshaped = reshape();
  if (!reshaped)
    return {};
  Value memory = builder.getArgument(reshaped);
  shown.push_back({buffer, SmallVector<DimFactors>(dims), memory});
  return memory;
}

std::optional<TileView> GroupContext::viewTile(Value buffer,
                                               ArrayRef<unsigned> dimFactors,
                                               ArrayRef<DimFactors> axes,
                                               bool hasUnitColumns) {
  TileView view;
  std::optional<SmallVector<DimFactors>> dims =
      divideIntoAxes(view, dimFactors, axes, hasUnitColumns);
  if (!dims)
    return std::nullopt;
  view.memory = show(buffer, *dims, [&] {
    SmallVector<OpFoldResult> sizes = llvm::map_to_vector(
        *dims, [&](const DimFactors &dim) { return getHostSize(dim); });
    return builder.reshape(buffer, sizes);
  });
  return view;
}

std::optional<TileView> GroupContext::viewOperand(OpOperand &operand,
                                                  ArrayRef<DimFactors> axes,
                                                  bool hasUnitColumns) {
  std::optional<SmallVector<DimFactors>> from = plan.getOperandDims(operand);
  if (!from)
    return std::nullopt;
  DimFactors dimFactors;
  for (const DimFactors &dim : *from)
    llvm::append_range(dimFactors, dim);
  Value buffer = getHostBuffer(operand.get());
  if (!isSlice(buffer))
    return viewTile(buffer, dimFactors, axes, hasUnitColumns);
  TileView view;
  std::optional<SmallVector<DimFactors>> dims =
      divideIntoAxes(view, dimFactors, axes, hasUnitColumns);
  if (!dims || dims->empty())
    return std::nullopt;
  view.memory =
      show(buffer, *dims, [&] { return reshapeSlice(buffer, *from, *dims); });
  return view.memory ? std::optional(view) : std::nullopt;
}

Value GroupContext::reshapeSlice(Value buffer, ArrayRef<DimFactors> from,
                                 ArrayRef<DimFactors> to) {
  // Expands the buffer to one dimension per dim factor, with the unit
  // dimensions of both sides, and collapses contiguous ones to the dimensions
  // of the result.
  OpBuilder &host = builder.host();
  SmallVector<ReassociationIndices> expanded(from.size()), collapsed;
  SmallVector<OpFoldResult> sizes;
  auto divide = [&](unsigned dim, OpFoldResult size) {
    expanded[dim].push_back(sizes.size());
    collapsed.back().push_back(sizes.size());
    sizes.push_back(size);
  };
  size_t left = 0;
  auto startDim = [&] {
    left = to[collapsed.size()].size();
    collapsed.emplace_back();
  };
  startDim();
  while (left == 0) {
    divide(/*dim=*/0, host.getIndexAttr(1));
    if (collapsed.size() == to.size())
      break;
    startDim();
  }
  for (auto [dim, dimFactors] : llvm::enumerate(from)) {
    if (dimFactors.empty())
      divide(dim, host.getIndexAttr(1));
    for (unsigned dimFactor : dimFactors) {
      if (left == 0)
        startDim();
      divide(dim, getHostSize(dimFactor));
      --left;
    }
  }

  auto type = cast<MemRefType>(buffer.getType());
  FailureOr<MemRefType> divided = memref::ExpandShapeOp::computeExpandedType(
      type, decomposeMixedValues(sizes).first, expanded);
  if (failed(divided) || !isCollapsible(*divided, collapsed))
    return {};
  if (divided->getRank() != type.getRank())
    buffer = memref::ExpandShapeOp::create(host, builder.loc(), *divided,
                                           buffer, expanded, sizes);
  if (collapsed.size() != sizes.size())
    buffer =
        memref::CollapseShapeOp::create(host, builder.loc(), buffer, collapsed);
  return buffer;
}

//===----------------------------------------------------------------------===//
// Sizes of tensors and the integers that they are computed from. Operations are
// read in program order, when the expressions of their operands are known.
//===----------------------------------------------------------------------===//

#include "stof/Size/IntegerReader.h"
#include "stof/Size/SizeFacts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;
using Size = std::optional<CountExpr>;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Size SizeFacts::readIntegerOp(Operation *op) const {
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> index = dim.getConstantIndex();
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    if (!index || !type || *index >= type.getRank())
      return std::nullopt;
    return sizeOf(dim.getSource(), *index);
  }
  SmallVector<CountExpr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(operand.getType().isIntOrIndex() ? valueOf(operand) : 0);
  return readInteger<CountExpr>(op, operands);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The size of dimension `dim` of the result of `op`.
static OpFoldResult sliceSize(tensor::ExtractSliceOp op, int64_t dim) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  for (auto [position, size] : llvm::enumerate(sizes))
    if (!dropped.test(position) && dim-- == 0)
      return size;
  llvm_unreachable("a result has the dimensions that are not dropped");
}

/// The size of a dynamic dimension.
Size SizeFacts::readSize(OpResult tensor, int64_t dim) const {
  Operation *op = tensor.getOwner();
  if (auto target = dyn_cast<DestinationStyleOpInterface>(op))
    return sizeOf(target.getTiedOpOperand(tensor)->get(), dim);
  auto type = cast<RankedTensorType>(tensor.getType());
  return llvm::TypeSwitch<Operation *, Size>(op)
      .Case<tensor::EmptyOp>([&](tensor::EmptyOp made) -> Size {
        return valueOf(made.getMixedSizes()[dim]);
      })
      .Case<tensor::CastOp>(
          [&](auto cast) -> Size { return sizeOf(cast.getSource(), dim); })
      .Case<tensor::ExpandShapeOp>([&](tensor::ExpandShapeOp view) -> Size {
        return valueOf(view.getMixedOutputShape()[dim]);
      })
      .Case<tensor::CollapseShapeOp>([&](tensor::CollapseShapeOp view) -> Size {
        CountExpr product = 1;
        ReassociationIndices group = view.getReassociationIndices()[dim];
        for (int64_t inner : group)
          product = product * sizeOf(view.getSrc(), inner);
        return product;
      })
      .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp slice) -> Size {
        return valueOf(sliceSize(slice, dim));
      })
      .Case<tensor::PadOp>([&](tensor::PadOp pad) -> Size {
        return valueOf(pad.getMixedLowPad()[dim]) +
               sizeOf(pad.getSource(), dim) +
               valueOf(pad.getMixedHighPad()[dim]);
      })
      .Case<tensor::ConcatOp>([&](tensor::ConcatOp all) -> Size {
        CountExpr sum = sizeOf(all.getInputs().front(), dim);
        if (static_cast<uint64_t>(dim) == all.getDim())
          for (Value input : all.getInputs().drop_front())
            sum += sizeOf(input, dim);
        return sum;
      })
      .Case<tensor::ReshapeOp>([&](tensor::ReshapeOp view) -> Size {
        auto sizes = view.getShape().getDefiningOp<tensor::FromElementsOp>();
        return sizes ? Size(valueOf(sizes.getElements()[dim])) : Size();
      })
      .Case<tensor::GenerateOp>([&](tensor::GenerateOp made) -> Size {
        return valueOf(made.getDynamicExtents()[type.getDynamicDimIndex(dim)]);
      })
      .Default([&](Operation *other) -> Size {
        if (!other->hasTrait<OpTrait::Elementwise>())
          return std::nullopt;
        for (Value operand : other->getOperands())
          if (auto same = dyn_cast<RankedTensorType>(operand.getType()))
            return sizeOf(operand, dim);
        return std::nullopt;
      });
}

CountExpr SizeFacts::opaque(StringRef kind) {
  return CountExpr::symbol((kind + Twine(numOpaque++)).str());
}

/// Whether `value` is short enough to be used in other expressions: a remainder
/// contains its dividend twice, so the length can double with each operation.
static bool isUsable(const Size &value) {
  constexpr size_t longest = 2000;
  return value && !value->isTooLarge() && value->getLength() < longest;
}

void SizeFacts::readShape(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<CountExpr> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Size size;
    if (!type.isDynamicDim(dim))
      size = type.getDimSize(dim);
    else if (auto result = dyn_cast<OpResult>(tensor))
      size = readSize(result, dim);
    else if (auto argument = cast<BlockArgument>(tensor);
             argument.getOwner() == &function.getBody().front())
      size = CountExpr::symbol(nameOf(argument.getArgNumber(), dim));
    sizes.push_back(isUsable(size) ? *size : opaque("size"));
  }
  shapes[tensor] = std::move(sizes);
}

void SizeFacts::read(Operation *op) {
  for (Value result : op->getResults()) {
    if (isa<RankedTensorType>(result.getType()))
      readShape(result);
    if (!result.getType().isIntOrIndex())
      continue;
    Size value = readConstant(result);
    if (!value && op->getNumResults() == 1 && op->getNumRegions() == 0)
      value = readIntegerOp(op);
    // Unlike sizes, captured numbers (c0, c1, ...) can be negative.
    integers[result] = isUsable(value) ? *value : opaque("c");
  }
}

CountExpr SizeFacts::sizeOf(Value tensor, int64_t dim) const {
  return shapes.at(tensor)[dim];
}

CountExpr SizeFacts::valueOf(OpFoldResult value) const {
  if (auto known = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(known).getInt();
  return integers.at(cast<Value>(value));
}

SizeFacts::SizeFacts(func::FuncOp function) : function(function) {
  auto readArgument = [&](BlockArgument argument) {
    if (isa<RankedTensorType>(argument.getType()))
      readShape(argument);
    else if (argument.getType().isIntOrIndex())
      integers[argument] = opaque("c");
  };
  for (Block &block : function.getBody())
    llvm::for_each(block.getArguments(), readArgument);
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    read(op);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), readArgument);
  });
}

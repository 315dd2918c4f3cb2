//===----------------------------------------------------------------------===//
// Sizes of tensors and the integers that they are computed from. Operations are
// read in program order, when the expressions of their operands are known.
//===----------------------------------------------------------------------===//

#include "stof/Size/SizeFacts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;
using Size = std::optional<CountExpr>;

/// Applies a manifest operator to two sizes. Divisors are assumed not to be
/// zero.
static CountExpr combine(StringRef op, const CountExpr &lhs,
                         const CountExpr &rhs) {
  if (op == "floordiv" || op == "ceildiv")
    if (Size quotient = CountExpr::divideExactly(lhs, rhs))
      return *quotient;
  return *CountExpr::parse(
      llvm::json::Array{op, lhs.toJSON(), rhs.toJSON()},
      [](StringRef name) -> Size { return CountExpr::symbol(name); });
}

static CountExpr remainder(const CountExpr &lhs, const CountExpr &rhs) {
  if (rhs.constant() > 0)
    return lhs - CountExpr::floorDivide(lhs, *rhs.constant()) * rhs;
  return combine("mod", lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static CountExpr compare(arith::CmpIPredicate predicate, const CountExpr &lhs,
                         const CountExpr &rhs) {
  using Predicate = arith::CmpIPredicate;
  auto atMost = [](const CountExpr &less, const CountExpr &more) {
    return CountExpr::isNonNegative(more - less);
  };
  switch (predicate) {
  case Predicate::eq:
    return atMost(lhs, rhs) * atMost(rhs, lhs);
  case Predicate::ne:
    return CountExpr(1) - atMost(lhs, rhs) * atMost(rhs, lhs);
  case Predicate::sle:
  case Predicate::ule:
    return atMost(lhs, rhs);
  case Predicate::sge:
  case Predicate::uge:
    return atMost(rhs, lhs);
  case Predicate::slt:
  case Predicate::ult:
    return CountExpr(1) - atMost(rhs, lhs);
  case Predicate::sgt:
  case Predicate::ugt:
    return CountExpr(1) - atMost(lhs, rhs);
  }
  llvm_unreachable("all predicates are read");
}

static CountExpr readAffine(AffineExpr expr, unsigned numDims,
                            ArrayRef<CountExpr> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  CountExpr lhs = readAffine(binary.getLHS(), numDims, operands);
  CountExpr rhs = readAffine(binary.getRHS(), numDims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return remainder(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return combine("floordiv", lhs, rhs);
  default:
    return combine("ceildiv", lhs, rhs);
  }
}

static CountExpr readMap(AffineMap map, StringRef fold,
                         ArrayRef<CountExpr> operands) {
  CountExpr value = readAffine(map.getResult(0), map.getNumDims(), operands);
  for (AffineExpr result : map.getResults().drop_front())
    value =
        combine(fold, value, readAffine(result, map.getNumDims(), operands));
  return value;
}

/// Logic on predicates, as arithmetic on 0 and 1; wider integers are not read.
static Size readLogic(Operation *op, const CountExpr &lhs,
                      const CountExpr &rhs) {
  if (!op->getResult(0).getType().isInteger(1))
    return std::nullopt;
  CountExpr both = lhs * rhs;
  if (isa<arith::AndIOp>(op))
    return both;
  return lhs + rhs - (isa<arith::OrIOp>(op) ? both : both * 2);
}

Size SizeFacts::readInteger(Operation *op) const {
  SmallVector<CountExpr> given;
  for (Value operand : op->getOperands())
    given.push_back(operand.getType().isIntOrIndex() ? valueOf(operand) : 0);
  auto binary = [&](StringRef name) -> Size {
    return combine(name, given[0], given[1]);
  };
  return llvm::TypeSwitch<Operation *, Size>(op)
      .Case<arith::AddIOp>([&](auto) { return given[0] + given[1]; })
      .Case<arith::SubIOp>([&](auto) { return given[0] - given[1]; })
      .Case<arith::MulIOp>([&](auto) { return given[0] * given[1]; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return binary("floordiv"); })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto) { return binary("ceildiv"); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return remainder(given[0], given[1]); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return binary("min"); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return binary("max"); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compared) {
        return compare(compared.getPredicate(), given[0], given[1]);
      })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](Operation *) { return readLogic(op, given[0], given[1]); })
      .Case<arith::SelectOp>([&](auto) -> Size {
        return given[0] * given[1] + (CountExpr(1) - given[0]) * given[2];
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) -> Size { return given[0]; })
      .Case<arith::ExtSIOp, arith::TruncIOp>([&](Operation *cast) -> Size {
        bool isTruth = cast->getOperand(0).getType().isInteger(1) ||
                       cast->getResult(0).getType().isInteger(1);
        return isTruth ? Size() : given[0];
      })
      .Case<affine::AffineApplyOp>([&](affine::AffineApplyOp apply) -> Size {
        return readMap(apply.getAffineMap(), "+", given);
      })
      .Case<affine::AffineMinOp>([&](affine::AffineMinOp least) -> Size {
        return readMap(least.getMap(), "min", given);
      })
      .Case<affine::AffineMaxOp>([&](affine::AffineMaxOp most) -> Size {
        return readMap(most.getMap(), "max", given);
      })
      .Case<tensor::DimOp>([&](tensor::DimOp dim) -> Size {
        std::optional<int64_t> index = dim.getConstantIndex();
        auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
        if (!index || !type || *index >= type.getRank())
          return std::nullopt;
        return sizeOf(dim.getSource(), *index);
      })
      .Default([](Operation *) { return std::nullopt; });
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
    APInt constant;
    Size value;
    if (matchPattern(result, m_ConstantInt(&constant))) {
      if (constant.getSignificantBits() <= 64)
        value = result.getType().isInteger(1) ? !constant.isZero()
                                              : constant.getSExtValue();
    } else if (op->getNumResults() == 1 && op->getNumRegions() == 0) {
      value = readInteger(op);
    }
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

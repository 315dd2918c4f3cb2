//===----------------------------------------------------------------------===//
// Slices of tensors and buffers, and facts about their offsets and sizes.
//===----------------------------------------------------------------------===//

#include "Slices.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include <numeric>

using namespace mlir;

/// A divisor of all values of a loop's induction variable; 1 if unknown.
static int64_t counterDivisor(BlockArgument counter) {
  auto loop = dyn_cast<LoopLikeOpInterface>(counter.getOwner()->getParentOp());
  if (!loop)
    return 1;
  std::optional<SmallVector<Value>> counters = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!counters || !lower || !steps)
    return 1;
  for (auto [value, first, step] : llvm::zip(*counters, *lower, *steps))
    if (value == counter)
      return std::gcd(getConstantIntValue(first).value_or(1),
                      getConstantIntValue(step).value_or(1));
  return 1;
}

/// A divisor of all results of `map`, given the divisors of its operands.
static int64_t mapDivisor(AffineMap map, OperandRange operands) {
  SmallVector<AffineExpr> scaled;
  for (auto [position, operand] : llvm::enumerate(operands)) {
    AffineExpr name = position < map.getNumDims()
                          ? getAffineDimExpr(position, map.getContext())
                          : getAffineSymbolExpr(position - map.getNumDims(),
                                                map.getContext());
    auto counter = dyn_cast<BlockArgument>(operand);
    scaled.push_back(counter ? name * counterDivisor(counter) : name);
  }
  ArrayRef<AffineExpr> all(scaled);
  int64_t divisor = 0;
  for (AffineExpr result : map.getResults()) {
    AffineExpr expr = result.replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    divisor = std::gcd(divisor, constant ? constant.getValue()
                                         : expr.getLargestKnownDivisor());
  }
  return divisor;
}

int64_t stof::knownDivisor(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::abs(*constant);
  auto dynamic = cast<Value>(value);
  if (auto counter = dyn_cast<BlockArgument>(dynamic))
    return counterDivisor(counter);
  if (auto apply = dynamic.getDefiningOp<affine::AffineApplyOp>())
    return mapDivisor(apply.getAffineMap(), apply.getMapOperands());
  if (auto min = dynamic.getDefiningOp<affine::AffineMinOp>())
    return mapDivisor(min.getAffineMap(), min->getOperands());
  return 1;
}

bool stof::isWhole(Value whole, unsigned dim, OpFoldResult offset,
                   OpFoldResult size) {
  if (!isZeroInteger(offset))
    return false;
  int64_t length = cast<ShapedType>(whole.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(length))
    return getConstantIntValue(size) == length;
  if (isa<Attribute>(size))
    return false;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      ValueBoundsConstraintSet::Variable(size),
      ValueBoundsConstraintSet::Variable(whole, dim));
  return succeeded(equal) && *equal;
}

OpFoldResult stof::floorDiv(OpBuilder &builder, Location loc,
                            OpFoldResult value, int64_t divisor) {
  assert(divisor > 0 && "divisors are positive");
  AffineExpr expr = builder.getAffineDimExpr(0).floorDiv(divisor);
  return affine::makeComposedFoldedAffineApply(builder, loc, expr, {value});
}

Operation *stof::createSlice(OpBuilder &builder, Location loc, Value whole,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), builder.getIndexAttr(1));
  if (isa<MemRefType>(whole.getType()))
    return memref::SubViewOp::create(builder, loc, whole, offsets, sizes,
                                     strides);
  return tensor::ExtractSliceOp::create(builder, loc, whole, offsets, sizes,
                                        strides);
}

OpFoldResult stof::getSize(OpBuilder &builder, Location loc, Value whole,
                           unsigned dim) {
  if (isa<MemRefType>(whole.getType()))
    return memref::getMixedSize(builder, loc, whole, dim);
  return tensor::getMixedSize(builder, loc, whole, dim);
}

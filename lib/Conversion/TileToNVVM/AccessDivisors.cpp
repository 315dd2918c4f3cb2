//===----------------------------------------------------------------------===//
// Known divisors of indices, through arithmetic, branches and loops.
//===----------------------------------------------------------------------===//

#include "AccessDivisors.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace stof::tile;

/// Larger factors say no more about alignment.
static constexpr int64_t enough = int64_t{1} << 20;

static int64_t divisorOf(Value value, int budget);

/// A divisor of `expr`, given divisors of its operands.
static int64_t divisorOf(AffineExpr expr, ArrayRef<int64_t> operands,
                         unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = divisorOf(binary.getLHS(), operands, numDims);
  int64_t rhs = divisorOf(binary.getRHS(), operands, numDims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul:
    return std::min(lhs, enough) * std::min(rhs, enough);
  default:
    return rhs != 0 && lhs % rhs == 0 ? lhs / rhs : 1;
  }
}

/// Follows chains of at most `budget` definitions.
static int64_t divisorOf(Value value, int budget) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return std::abs(*known);
  if (budget == 0)
    return 1;
  auto next = [&](Value operand) { return divisorOf(operand, budget - 1); };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop =
        dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != argument)
      return 1;
    return std::gcd(next(loop.getLowerBound()), next(loop.getStep()));
  }
  return TypeSwitch<Operation *, int64_t>(value.getDefiningOp())
      .Case([&](arith::MulIOp op) {
        return std::min(next(op.getLhs()), enough) *
               std::min(next(op.getRhs()), enough);
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
            arith::MinUIOp, arith::MaxUIOp, arith::RemUIOp>([&](auto op) {
        return std::gcd(next(op.getLhs()), next(op.getRhs()));
      })
      .Case([&](arith::SelectOp op) {
        return std::gcd(next(op.getTrueValue()), next(op.getFalseValue()));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](auto op) { return next(op.getIn()); })
      .Case([&](scf::IfOp op) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        return std::gcd(next(op.thenYield().getOperand(number)),
                        next(op.elseYield().getOperand(number)));
      })
      .Case([&](affine::AffineApplyOp op) {
        SmallVector<int64_t> operands;
        for (Value operand : op.getMapOperands())
          operands.push_back(next(operand));
        AffineMap map = op.getAffineMap();
        return divisorOf(map.getResult(0), operands, map.getNumDims());
      })
      .Default(int64_t{1});
}

/// The largest known divisor of `value` (0 if it is 0).
static int64_t getKnownDivisor(Value value) {
  constexpr int budget = 8;
  return divisorOf(value, budget);
}

/// A known divisor of the offset of `memory`.
static int64_t getOffsetDivisor(Value memory) {
  auto view = memory.getDefiningOp<memref::SubViewOp>();
  SmallVector<int64_t> strides;
  int64_t divisor;
  if (!view ||
      failed(view.getSourceType().getStridesAndOffset(strides, divisor)) ||
      ShapedType::isDynamic(divisor))
    return 1;
  for (auto [offset, stride] : llvm::zip(view.getMixedOffsets(), strides)) {
    if (isZeroInteger(offset))
      continue;
    if (ShapedType::isDynamic(stride))
      return 1;
    std::optional<int64_t> known = getConstantIntValue(offset);
    divisor = std::gcd(
        divisor,
        stride * (known ? *known : getKnownDivisor(cast<Value>(offset))));
  }
  return divisor;
}

/// Known divisors of the strides of `memory`.
static SmallVector<int64_t> getStrideDivisors(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> strides, sources;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return SmallVector<int64_t>(type.getRank(), 1);
  auto view = memory.getDefiningOp<memref::SubViewOp>();
  if (view) {
    SmallVector<int64_t> ofSource = getStrideDivisors(view.getSource());
    llvm::SmallBitVector dropped = view.getDroppedDims();
    for (auto [dim, step] : llvm::enumerate(view.getMixedStrides()))
      if (!dropped[dim])
        sources.push_back(std::min(ofSource[dim], enough) *
                          getConstantIntValue(step).value_or(1));
  }
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    if (!ShapedType::isDynamic(stride))
      continue;
    stride = view ? sources[dim] : 1;
    if (type.getLayout().isIdentity())
      for (int64_t size : type.getShape().drop_front(dim + 1))
        stride *= ShapedType::isDynamic(size) ? 1 : size;
  }
  return strides;
}

AccessDivisors::AccessDivisors(Operation *root) {
  auto add = [&](Operation *op, Value memory, ValueRange indices) {
    accesses[op] = {llvm::map_to_vector(indices, getKnownDivisor),
                    getStrideDivisors(memory), getOffsetDivisor(memory)};
  };
  root->walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      add(op, load.getSource(), load.getIndices());
    else if (auto send = dyn_cast<SendOp>(op))
      add(op, send.getSource(), send.getIndices());
    else if (auto store = dyn_cast<StoreOp>(op))
      add(op, store.getDestination(), store.getIndices());
  });
}

//===----------------------------------------------------------------------===//
// Values that are rounded to 16 bits or fewer.
//===----------------------------------------------------------------------===//

#include "RoundedUses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stof;

/// Whether a sum has a power as one operand and a positive constant as the
/// other one. The constant is so large that powers that are flushed to 0, or
/// rounded as subnormal numbers, make no difference.
static bool isSumOfPower(arith::AddFOp sum, OpOperand &power) {
  constexpr double least = 0x1p-64;
  if (!power.get().getDefiningOp<math::ExpOp>() ||
      !getElementTypeOrSelf(sum.getType()).isF32())
    return false;
  APFloat constant(0.0);
  Value other = sum->getOperand(1 - power.getOperandNumber());
  return matchPattern(other, m_ConstantFloat(&constant)) &&
         constant.convertToDouble() >= least;
}

/// Whether the relative error of the result is at most that of the operand,
/// plus those of the others.
static bool keepsRelativeError(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto sum = dyn_cast<arith::AddFOp>(user))
    return isSumOfPower(sum, use);
  return isa<arith::MulFOp, arith::DivFOp, arith::NegFOp, math::AbsFOp,
             arith::SelectOp, vector::FromElementsOp>(user);
}

static bool isRounding(arith::TruncFOp op) {
  constexpr unsigned bits = 16, mantissaBits = 11;
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  return type.getWidth() <= bits && type.getFPMantissaWidth() <= mantissaBits;
}

unsigned RoundedUses::getFactor(OpOperand &use) const {
  if (auto rounding = dyn_cast<arith::TruncFOp>(use.getOwner()))
    return isRounding(rounding) ? 1 : 0;
  if (!keepsRelativeError(use))
    return 0;
  return factors.lookup(use.getOwner()->getResult(0));
}

unsigned RoundedUses::getFactor(Value value) const {
  // Products of a value and itself double the error, also over several steps.
  constexpr unsigned largest = 4;
  unsigned total = 0;
  for (OpOperand &use : value.getUses()) {
    unsigned factor = getFactor(use);
    total += factor;
    if (factor == 0 || total > largest)
      return 0;
  }
  return total;
}

RoundedUses::RoundedUses(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (!isa<FloatType>(getElementTypeOrSelf(result.getType())))
        continue;
      if (unsigned factor = getFactor(result))
        factors.insert({result, factor});
    }
  });
}

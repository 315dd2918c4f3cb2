//===----------------------------------------------------------------------===//
// Expansions of f32 operations whose results are rounded to 16 bits or fewer,
// such as those of epilogues between an accumulator and its rounding.
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "NarrowFunctions.h"
#include "RoundedUses.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

using llvm::numbers::log2e;

/// 1 + erf(x) is 1 - erf(|x|) = 2^P(|x|) for x < 0, without cancellation, else
/// two minus it. P is a minimax fit on [0, 4]. The relative error there is at
/// most 7e-6, where f32 rounds P to 1e-6; 1 + erf(0) is 1. Below -4, where the
/// result is less than 1.6e-8, P falls to minus infinity, so that a product
/// with a large x is 0, too.
static Value expandErfPlusOne(const Arithmetic &a, Value x) {
  Value t = math::AbsFOp::create(a.builder, a.loc, x);
  Value exponent =
      a.polynomial(t, {-1.62805986, -0.917103469, -0.152384683, 0.0338688456,
                       -0.00520487549, 0.000482005766, -1.99760216e-05});
  Value rest = a.exp2(a.mul(t, exponent));
  Value isNegative =
      a.compare(arith::CmpFPredicate::OLT, x, a.real(a.f32(), 0));
  return a.select(isNegative, rest, a.sub(a.real(a.f32(), 2), rest));
}

/// 1 + tanh(x) = 2 / (1 + e^-2x), without cancellation. The relative error is
/// at most 1.4e-6 for x >= -10, and 5e-6 until results below 2^-125 become 0.
static Value expandTanhPlusOne(const Arithmetic &a, Value x) {
  Value power = a.exp2(a.mul(x, a.real(a.f32(), -2 * log2e)));
  Value one = a.real(a.f32(), 1), two = a.real(a.f32(), 2);
  return divideApproximately(a, two, a.add(power, one));
}

static Value expandSum(const Arithmetic &a, arith::AddFOp sum) {
  for (auto [value, other] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())}) {
    if (!matchPattern(other, m_OneFloat()))
      continue;
    if (auto erf = value.getDefiningOp<math::ErfOp>())
      return expandErfPlusOne(a, erf.getOperand());
    if (auto tanh = value.getDefiningOp<math::TanhOp>())
      return expandTanhPlusOne(a, tanh.getOperand());
  }
  return {};
}

/// A product could scale a power that was flushed to 0 back to a normal number.
static Value expandPower(const Arithmetic &a, math::ExpOp op) {
  if (!llvm::all_of(op->getUsers(),
                    llvm::IsaPred<arith::AddFOp, arith::TruncFOp>))
    return {};
  return expandNarrowExp(a, op.getOperand());
}

/// A quotient with an error of two units in the last place. Other than the
/// approximate division, this instruction takes divisors of all sizes.
static Value divideFully(const Arithmetic &a, Value lhs, Value rhs) {
  return LLVM::CallIntrinsicOp::create(
             a.builder, a.loc, a.builder.getF32Type(),
             a.builder.getStringAttr("llvm.nvvm.div.full"),
             ValueRange{lhs, rhs})
      .getResult(0);
}

static Value expandQuotient(const Arithmetic &a, arith::DivFOp op) {
  // Reciprocals of these are normal numbers.
  constexpr double least = 0x1p-100, largest = 0x1p100;
  APFloat constant(0.0);
  if (matchPattern(op.getRhs(), m_ConstantFloat(&constant))) {
    double divisor = constant.convertToDouble();
    if (std::abs(divisor) >= least && std::abs(divisor) <= largest)
      return a.mul(op.getLhs(), a.real(a.f32(), 1 / divisor));
  }
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type)
    return divideFully(a, op.getLhs(), op.getRhs());
  auto lhs = vector::ToElementsOp::create(a.builder, a.loc, op.getLhs());
  auto rhs = vector::ToElementsOp::create(a.builder, a.loc, op.getRhs());
  SmallVector<Value> quotients;
  for (auto [dividend, divisor] :
       llvm::zip_equal(lhs.getElements(), rhs.getElements()))
    quotients.push_back(divideFully(a, dividend, divisor));
  return vector::FromElementsOp::create(a.builder, a.loc, type, quotients);
}

/// The result for `op`, or none if it stays.
static Value expand(const Arithmetic &a, Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case(
          [&](math::ErfOp erf) { return expandNarrowErf(a, erf.getOperand()); })
      .Case([&](math::TanhOp tanh) {
        return expandNarrowTanh(a, tanh.getOperand());
      })
      .Case([&](math::ExpOp exp) { return expandPower(a, exp); })
      .Case([&](arith::AddFOp sum) { return expandSum(a, sum); })
      .Case([&](arith::DivFOp quotient) { return expandQuotient(a, quotient); })
      .Default(Value());
}

void stof::expandRoundedFunctions(Operation *root) {
  // Of all operations before any is replaced, since the analysis does not know
  // what replaces them.
  RoundedUses uses(root);
  SmallVector<Operation *> rounded;
  root->walk([&](Operation *op) {
    if (op->getNumResults() == 1 && uses.contains(op->getResult(0)) &&
        getElementTypeOrSelf(op->getResult(0)).isF32())
      rounded.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : rounded) {
    rewriter.setInsertionPoint(op);
    Arithmetic arith(rewriter, op->getLoc(), op->getResult(0).getType());
    if (Value result = expand(arith, op))
      rewriter.replaceOp(op, result);
  }
}

//===----------------------------------------------------------------------===//
// Checks integer divisors: division by zero ends the process on a CPU, and
// yields an arbitrary number on a GPU.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Size/SizeFacts.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {
#define GEN_PASS_DEF_CHECKDIVISORSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

static bool isSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp>(op);
}

/// Whether `op` divides scalars.
static bool isDivision(Operation *op) {
  return (isSigned(op) ||
          isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op)) &&
         op->getResult(0).getType().isIntOrIndex();
}

/// Whether `range` excludes divisors that make a division undefined: zero, and
/// for signed ones -1, which overflows for the least dividend.
static bool isDefined(const ConstantIntRanges &range, bool isSigned) {
  APInt none = APInt::getZero(range.smin().getBitWidth());
  auto holds = [&](const APInt &value) {
    return range.umin().ule(value) && range.umax().uge(value) &&
           range.smin().sle(value) && range.smax().sge(value);
  };
  return !holds(none) && !(isSigned && holds(~none));
}

/// Checks the divisor of `op`. The division itself uses at least 1.
static void checkDivisor(Operation *op) {
  ImplicitLocOpBuilder builder(op->getLoc(), op);
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder,
                                     builder.getIntegerAttr(type, value));
  };
  auto differs = [&](Value value, const APInt &from) -> Value {
    return arith::CmpIOp::create(builder, CmpIPredicate::ne, value,
                                 constant(from));
  };
  Value holds = differs(divisor, APInt::getZero(width));
  if (isSigned(op)) {
    Value fits = arith::OrIOp::create(
        builder, differs(divisor, APInt::getAllOnes(width)),
        differs(dividend, APInt::getSignedMinValue(width)));
    holds = arith::AndIOp::create(builder, holds, fits);
  }
  Value checked = CheckOp::create(
      builder, divisor, holds,
      isSigned(op) ? "divisor must not be zero, nor the quotient overflow"
                   : "divisor must not be zero");
  op->setOperand(
      1, arith::MaxUIOp::create(builder, checked, constant(APInt(width, 1))));
}

namespace {

struct CheckDivisorsPass
    : stof::impl::CheckDivisorsPassBase<CheckDivisorsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  SmallVector<Operation *> listDivisions();
};

} // namespace

/// The divisions to check. Divisors that are valid constants need no check;
/// expressions of sizes are evaluated by the host.
SmallVector<Operation *> CheckDivisorsPass::listDivisions() {
  func::FuncOp function = getOperation();
  SmallVector<Operation *> divisions;
  function.walk([&](Operation *op) {
    APInt divisor;
    if (isDivision(op) &&
        (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
         !isDefined(ConstantIntRanges::constant(divisor), isSigned(op))))
      divisions.push_back(op);
  });
  if (divisions.empty())
    return {};
  SizeFacts facts(function);
  llvm::erase_if(divisions, [&](Operation *op) {
    return op->getParentOp() == function &&
           facts.isOfInputs(facts.valueOf(op->getOperand(1)));
  });
  return divisions;
}

void CheckDivisorsPass::runOnOperation() {
  SmallVector<Operation *> divisions = listDivisions();
  if (divisions.empty())
    return;
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(getOperation())))
    return signalPassFailure();
  llvm::erase_if(divisions, [&](Operation *op) {
    auto *range = solver.lookupState<dataflow::IntegerValueRangeLattice>(
        op->getOperand(1));
    return range && !range->getValue().isUninitialized() &&
           isDefined(range->getValue().getValue(), isSigned(op));
  });
  for (Operation *op : divisions)
    checkDivisor(op);
  // The body of a named operation is fixed: generalize those that changed.
  IRRewriter rewriter(&getContext());
  SetVector<Operation *> named;
  for (Operation *op : divisions)
    if (auto around = dyn_cast<linalg::LinalgOp>(op->getParentOp()))
      if (!isa<linalg::GenericOp>(around))
        named.insert(around);
  for (Operation *op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op))))
      return signalPassFailure();
  }
}

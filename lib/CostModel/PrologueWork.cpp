//===----------------------------------------------------------------------===//
// The work of the producers of contraction operands, which is repeated for each
// CTA tile that reads the same elements.
//===----------------------------------------------------------------------===//

#include "PrologueWork.h"
#include "stof/CostModel/Counts.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Instructions per element for its way through registers, and per operation of
/// a body; functions cost between the cheap ones and erf of f32, which took 90.
/// Fitted to 30 kernels of three bodies on an H200.
static constexpr double elementOps = 4, bodyOps = 1.5, functionOps = 40;

/// Overhead between two mainloops of a back-to-back contraction, in iterations:
/// exposed first loads, and storing the tile. Fitted to 8 kernels of 2 sizes on
/// an H200; the fit is off by 10 %.
static constexpr int64_t fillSteps = 9;

/// Calls `visit` with each operand that has producers, once per distinct
/// operand.
static void visitPrologues(const GroupPlan &plan,
                           function_ref<void(OpOperand &)> visit) {
  llvm::SmallDenseSet<std::pair<unsigned, Value>> visited;
  for (linalg::LinalgOp contraction : plan.getContractions())
    for (OpOperand *operand : contraction.getDpsInputOperands())
      if (!plan.getPrologue(*operand).empty() &&
          visited
              .insert({operand->getOperandNumber(), getOrigin(operand->get())})
              .second)
        visit(*operand);
}

int64_t stof::countPrologueOps(const GroupPlan &plan, const MatmulTile &shape) {
  auto count = [&](ArrayRef<unsigned> dimFactors, int64_t unit) {
    return llvm::alignTo(
        std::max<int64_t>(static_cast<int64_t>(countOf(plan, dimFactors)), 1),
        unit);
  };
  double rows = count(plan.getRows(), shape.rows),
         columns = count(plan.getColumns(), shape.columns);
  double around = countOf(plan, plan.getBatch()) *
                  countOf(plan, plan.getOuterKFactors()) *
                  count(plan.getKFactors(), shape.blockK);
  double ops = 0;
  visitPrologues(plan, [&](OpOperand &operand) {
    double each = elementOps;
    for (linalg::LinalgOp op : plan.getPrologue(operand))
      if (!plan.isBackToBack(op))
        for (Operation &inner : op.getBlock()->without_terminator())
          each += isa_and_nonnull<math::MathDialect>(inner.getDialect())
                      ? functionOps
                      : bodyOps;
    bool isLeft = operand.getOperandNumber() == 0;
    double tiles = isLeft ? columns / shape.columns : rows / shape.rows;
    ops += each * around * tiles * (isLeft ? rows : columns);
  });
  return static_cast<int64_t>(ops);
}

//===----------------------------------------------------------------------===//
// Back-to-back GEMMs
//===----------------------------------------------------------------------===//

std::optional<MatmulTile> stof::getBackToBackTile(const GroupPlan &plan,
                                                  OpOperand &operand,
                                                  linalg::LinalgOp backToBack,
                                                  const MatmulTile &around) {
  bool isLeft = operand.getOperandNumber() == 0;
  MatmulTile shape = around;
  shape.rows = isLeft ? around.rows : around.columns;
  shape.columns = around.blockK;
  if (!isKContiguous(plan, operand, isLeft ? plan.getRows() : plan.getColumns(),
                     plan.getKFactors()))
    std::swap(shape.rows, shape.columns);
  // K tiles of as many bytes.
  auto contraction = cast<linalg::LinalgOp>(operand.getOwner());
  shape.blockK = around.blockK * getOperandBytes(contraction) /
                 getOperandBytes(backToBack);
  for (shape.rowWarps = around.getNumWarps(); shape.rowWarps > 0;
       shape.rowWarps /= 2) {
    shape.columnWarps = around.getNumWarps() / shape.rowWarps;
    if (shape.rows % (mmaRows * shape.rowWarps) == 0 &&
        shape.columns % (mmaColumns * shape.columnWarps) == 0)
      return shape;
  }
  return std::nullopt;
}

/// Calls `visit` with each back-to-back contraction and its tile for operands
/// of `around`, if it has one.
static void visitBackToBack(
    const GroupPlan &plan, const MatmulTile &around,
    function_ref<void(linalg::LinalgOp, std::optional<MatmulTile>)> visit) {
  visitPrologues(plan, [&](OpOperand &operand) {
    for (linalg::LinalgOp op : plan.getPrologue(operand))
      if (plan.isBackToBack(op))
        visit(op, getBackToBackTile(plan, operand, op, around));
  });
}

bool stof::hasBackToBackTiles(const GroupPlan &plan, const MatmulTile &shape) {
  bool hasAll = true;
  visitBackToBack(plan, shape,
                  [&](linalg::LinalgOp, std::optional<MatmulTile> own) {
                    hasAll &= own.has_value();
                  });
  return hasAll;
}

void stof::addBackToBackWork(const GroupPlan &plan, const MatmulTile &shape,
                             KernelWork &work) {
  int64_t times = work.overlappedSteps;
  visitBackToBack(
      plan, shape, [&](linalg::LinalgOp op, std::optional<MatmulTile> own) {
        const ReductionFactors &reduction = plan.getReductionFactors(op);
        auto count = [&](ArrayRef<unsigned> dimFactors) {
          return static_cast<int64_t>(countOf(plan, dimFactors));
        };
        int64_t steps = count(reduction.outer) *
                        llvm::divideCeil(count(reduction.steps), own->blockK);
        int64_t stepBytes =
            (own->rows + own->columns) * own->blockK * getOperandBytes(op);
        int64_t all = work.ctas * times * steps;
        work.tensorFlops += all * own->rows * own->columns * own->blockK * 2;
        work.l2Bytes += all * stepBytes;
        work.overlappedSteps += times * (steps + fillSteps);
        work.ctaBytes += own->stages * stepBytes;
        work.ctaRegisters += own->rows * own->columns;
      });
}

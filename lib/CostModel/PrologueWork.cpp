//===----------------------------------------------------------------------===//
// What kernels of products do before they multiply, which is computed again for
// each tile that takes the same elements.
//===----------------------------------------------------------------------===//

#include "PrologueWork.h"
#include "stof/CostModel/Counts.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Instructions that an element takes on its way through registers, and that
/// an operation of a body takes; a function stands between the cheap ones and
/// erf of f32, which took 90. Fitted to 30 kernels of three bodies on an H200.
static constexpr double elementOps = 4, bodyOps = 1.5, functionOps = 40;

/// From one walk of a chained product to the next, in steps of it: its first
/// loads are waited for, and its tile is computed and stored. Fitted to 8
/// kernels of 2 sizes on an H200; the fit is off by 10 %.
static constexpr int64_t fillSteps = 9;

/// Calls `visit` with each operand that a prologue computes; with one of those
/// that are the same.
static void visitPrologues(const GroupPlan &plan,
                           function_ref<void(OpOperand &)> visit) {
  llvm::SmallDenseSet<std::pair<unsigned, Value>> visited;
  for (linalg::LinalgOp product : plan.getProducts())
    for (OpOperand *operand : product.getDpsInputOperands())
      if (!plan.getPrologue(*operand).empty() &&
          visited
              .insert(
                  {operand->getOperandNumber(), plan.getOrigin(operand->get())})
              .second)
        visit(*operand);
}

int64_t stof::countPrologueOps(const GroupPlan &plan,
                               const ContractionShape &shape) {
  auto count = [&](ArrayRef<unsigned> digits, int64_t unit) {
    return llvm::alignTo(
        std::max<int64_t>(static_cast<int64_t>(countOf(plan, digits)), 1),
        unit);
  };
  double rows = count(plan.getRows(), shape.rows),
         columns = count(plan.getColumns(), shape.columns);
  double around = countOf(plan, plan.getBatch()) *
                  countOf(plan, plan.getOuterInner()) *
                  count(plan.getInner(), shape.depth);
  double ops = 0;
  visitPrologues(plan, [&](OpOperand &operand) {
    double each = elementOps;
    for (linalg::LinalgOp op : plan.getPrologue(operand))
      if (!plan.isChained(op))
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
// Chained products
//===----------------------------------------------------------------------===//

std::optional<ContractionShape>
stof::shapeOfChained(const GroupPlan &plan, OpOperand &operand,
                     linalg::LinalgOp chained, const ContractionShape &around) {
  bool isLeft = operand.getOperandNumber() == 0;
  ContractionShape shape = around;
  shape.rows = isLeft ? around.rows : around.columns;
  shape.columns = around.depth;
  if (!isInnerLast(plan, operand, isLeft ? plan.getRows() : plan.getColumns(),
                   plan.getInner()))
    std::swap(shape.rows, shape.columns);
  // Steps of as many bytes.
  auto product = cast<linalg::LinalgOp>(operand.getOwner());
  shape.depth =
      around.depth * getElementBytes(product) / getElementBytes(chained);
  for (shape.rowWarps = around.getNumWarps(); shape.rowWarps > 0;
       shape.rowWarps /= 2) {
    shape.columnWarps = around.getNumWarps() / shape.rowWarps;
    if (shape.rows % (squareRows * shape.rowWarps) == 0 &&
        shape.columns % (squareColumns * shape.columnWarps) == 0)
      return shape;
  }
  return std::nullopt;
}

/// Calls `visit` with each product of a prologue and its tiles for those of
/// `around`, if it has some.
static void visitChained(
    const GroupPlan &plan, const ContractionShape &around,
    function_ref<void(linalg::LinalgOp, std::optional<ContractionShape>)>
        visit) {
  visitPrologues(plan, [&](OpOperand &operand) {
    for (linalg::LinalgOp op : plan.getPrologue(operand))
      if (plan.isChained(op))
        visit(op, shapeOfChained(plan, operand, op, around));
  });
}

bool stof::hasChainedTiles(const GroupPlan &plan,
                           const ContractionShape &shape) {
  bool hasAll = true;
  visitChained(plan, shape,
               [&](linalg::LinalgOp, std::optional<ContractionShape> own) {
                 hasAll &= own.has_value();
               });
  return hasAll;
}

void stof::addChainedWork(const GroupPlan &plan, const ContractionShape &shape,
                          KernelWork &work) {
  int64_t times = work.overlappedSteps;
  visitChained(
      plan, shape,
      [&](linalg::LinalgOp op, std::optional<ContractionShape> own) {
        const GroupPlan::SummedDigits &summed = plan.getSummed(op);
        auto count = [&](ArrayRef<unsigned> digits) {
          return static_cast<int64_t>(countOf(plan, digits));
        };
        int64_t steps = count(summed.outer) *
                        llvm::divideCeil(count(summed.steps), own->depth);
        int64_t stepBytes =
            (own->rows + own->columns) * own->depth * getElementBytes(op);
        int64_t all = work.blocks * times * steps;
        work.tensorFlops += all * own->rows * own->columns * own->depth * 2;
        work.l2Bytes += all * stepBytes;
        work.overlappedSteps += times * (steps + fillSteps);
        work.blockBytes += own->stages * stepBytes;
        work.blockRegisters += own->rows * own->columns;
      });
}

//===----------------------------------------------------------------------===//
// Cost of a group, to weigh the gain of fusion.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/GroupCost.h"
#include "stof/CostModel/Counts.h"
#include "stof/CostModel/MatmulTile.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Per microsecond: bytes of memory, the same in kernels with contractions, and
/// operations of bodies.
static constexpr double byteRate = 3e6, contendedByteRate = 2e6,
                        bodyRate = 1.5e7;

/// The bytes of `operand` if `op` reads it, else 0.
static double bytesRead(linalg::LinalgOp op, OpOperand &operand) {
  bool isRead = op.isDpsInput(&operand) ||
                (op.payloadUsesValueFromOperand(&operand) &&
                 !operand.get().getDefiningOp<linalg::FillOp>());
  return isRead ? countBytes(operand.get()) : 0;
}

/// Bytes that `op` reads of a tensor element by element: at most one element
/// per iteration, and at most the whole tensor.
static double bytesCaptured(const GroupPlan &plan, linalg::LinalgOp op,
                            Value tensor) {
  auto type = cast<ShapedType>(tensor.getType());
  double all = countBytes(tensor);
  double times = countOf(plan, plan.getIterationDimFactors(op));
  return std::min(all, times * all / countAll(type.getShape()));
}

/// Adds the cost of a branch; `read` are the tensors that other branches have
/// read.
static void addCost(const GroupPlan &plan, bool isContended,
                    llvm::SmallDenseSet<Value> &read, GroupCost &cost) {
  double bytes = 0;
  DimFactors rows(plan.getBatch());
  llvm::append_range(rows, plan.getRows());
  DimFactors points(rows);
  llvm::append_range(points, plan.getColumns());
  double repeated = 0;
  for (linalg::LinalgOp op : plan.getOperations()) {
    for (OpOperand &operand : op->getOpOperands())
      if (!plan.isInner(operand.get()) && read.insert(operand.get()).second)
        bytes += bytesRead(op, operand);
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      if (isa<ShapedType>(value.getType()) && !plan.isInner(value) &&
          read.insert(value).second)
        bytes += bytesCaptured(plan, op, value);
    if (plan.getRole(op) == OperationRole::Contraction ||
        plan.isInPrologue(op))
      continue;
    bool isRow =
        plan.isRowValued(op) && plan.getRole(op) != OperationRole::Reduction;
    DimFactors computed(isRow ? rows : points);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (!plan.getLoopDimFactors(op, loop))
        llvm::append_range(computed, plan.flattenLoop(op, loop));
    double times = countOf(plan, computed) -
                   countOf(plan, plan.getIterationDimFactors(op));
    repeated += times * (op.getBlock()->getOperations().size() - 1);
  }
  for (OpResult result : plan.getResults())
    bytes += countBytes(result);
  cost.bytes += bytes;
  cost.microseconds += bytes / (isContended ? contendedByteRate : byteRate) +
                       repeated / bodyRate;
}

static bool isContraction(const GroupPlan &plan) {
  return plan.getTemplate() == GroupTemplate::Contraction;
}

CostModel stof::getCostModel(const TargetInfo *target) {
  return CostModel((target ? *target : getDefaultTarget()).getFigures());
}

double stof::estimateTraffic(double bytes) { return bytes / byteRate; }

KernelWork stof::countMatmulsWork(const GroupBranches &branches,
                                  const TargetInfo *target, int64_t bytes) {
  SmallVector<const GroupPlan *> contractions;
  for (const GroupPlan &plan : branches.getBranches())
    if (isContraction(plan))
      contractions.push_back(&plan);
  KernelWork work;
  for (auto [plan, shape] :
       llvm::zip(contractions,
                 chooseMatmulTiles(contractions,
                                   target ? target : &getDefaultTarget())))
    work += countMatmulWork(*plan, shape, /*bytes=*/0);
  work.hbmBytes = bytes;
  return work;
}

GroupCost stof::estimateCost(const GroupBranches &branches,
                             const TargetInfo *target) {
  GroupCost cost;
  cost.microseconds = launchTime;
  llvm::SmallDenseSet<Value> read;
  bool hasContractions = llvm::any_of(branches.getBranches(), isContraction);
  for (const GroupPlan &plan : branches.getBranches())
    addCost(plan, hasContractions && !isContraction(plan), read, cost);
  if (hasContractions)
    cost.microseconds += getCostModel(target).predict(
        countMatmulsWork(branches, target, /*bytes=*/0));
  return cost;
}

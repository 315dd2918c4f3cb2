//===----------------------------------------------------------------------===//
// What sharing a kernel saves.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/GroupCost.h"
#include "stof/CostModel/ContractionShape.h"
#include "stof/CostModel/Counts.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace mlir;
using namespace stof;

/// Per microsecond: bytes of memory, the same beside a product, and operations
/// of bodies.
static constexpr double byteRate = 3e6, besideRate = 2e6, bodyRate = 1.5e7;
/// The chip whose figures stand for those that have none.
static constexpr StringLiteral usualChip = "sm_80";

/// Bytes of `operand` if `op` reads it.
static double bytesRead(linalg::LinalgOp op, OpOperand &operand) {
  bool isRead = op.isDpsInput(&operand) ||
                (op.payloadUsesValueFromOperand(&operand) &&
                 !operand.get().getDefiningOp<linalg::FillOp>());
  return isRead ? countBytes(operand.get()) : 0;
}

/// Bytes that `op` reads of a tensor element by element: at most all of them,
/// and no more than one element each time.
static double bytesCaptured(const GroupPlan &plan, linalg::LinalgOp op,
                            Value tensor) {
  auto type = cast<ShapedType>(tensor.getType());
  double all = countBytes(tensor);
  double times = countOf(plan, plan.getIterationDigits(op));
  return std::min(all, times * all / countAll(type.getShape()));
}

/// Adds the cost of a section; `read` is what others have read before.
static void addCost(const GroupPlan &plan, bool isBesideProduct,
                    llvm::SmallDenseSet<Value> &read, GroupCost &cost) {
  double bytes = 0;
  Digits rows(plan.getBatch());
  llvm::append_range(rows, plan.getRows());
  Digits points(rows);
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
    if (plan.getRole(op) == GroupPlan::Role::Product || plan.isInPrologue(op))
      continue;
    bool isRow =
        plan.isRowValued(op) && plan.getRole(op) != GroupPlan::Role::Reduction;
    Digits computed(isRow ? rows : points);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (!plan.getLoopDigits(op, loop))
        llvm::append_range(computed, plan.flattenLoop(op, loop));
    double times =
        countOf(plan, computed) - countOf(plan, plan.getIterationDigits(op));
    repeated += times * (op.getBlock()->getOperations().size() - 1);
  }
  for (OpResult result : plan.getResults())
    bytes += countBytes(result);
  cost.bytes += bytes;
  cost.microseconds +=
      bytes / (isBesideProduct ? besideRate : byteRate) + repeated / bodyRate;
}

static bool isProduct(const GroupPlan &plan) {
  return plan.getTemplate() == GroupTemplate::Contraction;
}

/// `chip`, or the one whose figures stand for it.
static StringRef getKnownChip(StringRef chip) {
  return CostModel::forTarget(chip) ? chip : StringRef(usualChip);
}

CostModel stof::getCostModel(StringRef chip) {
  return *CostModel::forTarget(getKnownChip(chip));
}

double stof::estimateTraffic(double bytes) { return bytes / byteRate; }

KernelWork stof::workOfProducts(const GroupSections &sections, StringRef chip,
                                int64_t bytes) {
  SmallVector<const GroupPlan *> products;
  for (const GroupPlan &plan : sections.getSections())
    if (isProduct(plan))
      products.push_back(&plan);
  KernelWork work;
  for (auto [plan, shape] : llvm::zip(
           products, chooseContractionShapes(products, getKnownChip(chip))))
    work += workOfProduct(*plan, shape, /*bytes=*/0);
  work.hbmBytes = bytes;
  return work;
}

GroupCost stof::estimateCost(const GroupSections &sections, StringRef chip) {
  GroupCost cost;
  cost.microseconds = launchTime;
  llvm::SmallDenseSet<Value> read;
  bool hasProducts = llvm::any_of(sections.getSections(), isProduct);
  for (const GroupPlan &plan : sections.getSections())
    addCost(plan, hasProducts && !isProduct(plan), read, cost);
  if (hasProducts)
    cost.microseconds +=
        getCostModel(chip).predict(workOfProducts(sections, chip, /*bytes=*/0));
  return cost;
}

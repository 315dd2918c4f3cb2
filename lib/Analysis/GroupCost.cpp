//===----------------------------------------------------------------------===//
// What sharing a kernel saves.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/GroupCost.h"

#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace mlir;
using namespace stof;

/// Of one kernel after another, in microseconds.
static constexpr double launchTime = 2.5;
/// Per microsecond: bytes of memory, the same beside a product, operations of
/// bodies, and those of products of 16-bit and of f32 elements.
static constexpr double byteRate = 3e6, besideRate = 2e6, bodyRate = 1.5e7,
                        halfRate = 4e8, singleRate = 1e8;
/// What is taken for all sizes of a tensor or loop nest that are not known,
/// multiplied: so it does not matter into how many dimensions they are divided.
static constexpr int64_t middleSize = 4096;
/// Rows and columns of a product's tiles.
static constexpr int64_t tileSide = 64;

/// The product of sizes, of which some may not be known.
static double countAll(ArrayRef<int64_t> sizes) {
  double count =
      llvm::is_contained(sizes, ShapedType::kDynamic) ? middleSize : 1;
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size))
      count *= size;
  return count;
}

double stof::countOf(const GroupPlan &plan, ArrayRef<unsigned> digits) {
  return countAll(llvm::map_to_vector(
      digits, [&](unsigned digit) { return plan.getExtent(digit).size; }));
}

static double bytesOf(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return 0;
  Type element = type.getElementType();
  double bytes =
      element.isIntOrFloat()
          ? llvm::divideCeil(element.getIntOrFloatBitWidth(), CHAR_BIT)
          : sizeof(int64_t);
  return bytes * countAll(type.getShape());
}

/// Bytes of `operand` if `op` reads it.
static double bytesRead(linalg::LinalgOp op, OpOperand &operand) {
  bool isRead = op.isDpsInput(&operand) ||
                (op.payloadUsesValueFromOperand(&operand) &&
                 !operand.get().getDefiningOp<linalg::FillOp>());
  return isRead ? bytesOf(operand.get()) : 0;
}

/// Multiplications and additions on what a product's tiles have beyond its rows
/// and columns.
static double padOfProduct(const GroupPlan &plan) {
  auto padded = [&](ArrayRef<unsigned> digits) {
    auto count = static_cast<uint64_t>(countOf(plan, digits));
    auto isDynamic = [&](unsigned digit) {
      return !plan.getExtent(digit).isStatic();
    };
    return llvm::any_of(digits, isDynamic) ? count
                                           : llvm::alignTo(count, tileSide);
  };
  double exact =
      countOf(plan, plan.getRows()) * countOf(plan, plan.getColumns());
  double whole = 1.0 * padded(plan.getRows()) * padded(plan.getColumns());
  return 2 * (whole - exact) * countOf(plan, plan.getBatch()) *
         countOf(plan, plan.getOuterInner()) * countOf(plan, plan.getInner());
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
    if (plan.getRole(op) == GroupPlan::Role::Product)
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
    bytes += bytesOf(result);
  cost.bytes += bytes;
  cost.microseconds +=
      bytes / (isBesideProduct ? besideRate : byteRate) + repeated / bodyRate;
  if (plan.getTemplate() == GroupTemplate::Contraction) {
    Value operand = plan.getMainOperation().getDpsInputOperand(0)->get();
    cost.microseconds +=
        padOfProduct(plan) /
        (getElementTypeOrSelf(operand).isF32() ? singleRate : halfRate);
  }
}

GroupCost stof::estimateCost(const GroupSections &sections) {
  GroupCost cost;
  cost.microseconds = launchTime;
  llvm::SmallDenseSet<Value> read;
  auto isProduct = [](const GroupPlan &plan) {
    return plan.getTemplate() == GroupTemplate::Contraction;
  };
  bool hasProduct = llvm::any_of(sections.getSections(), isProduct);
  for (const GroupPlan &plan : sections.getSections())
    addCost(plan, hasProduct && !isProduct(plan), read, cost);
  return cost;
}

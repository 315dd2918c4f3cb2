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
/// Per microsecond: bytes of memory, operations of bodies, and those of
/// products of 16-bit and of f32 elements.
static constexpr double byteRate = 3e6, bodyRate = 1.5e7, halfRate = 4e8,
                        singleRate = 1e8;
/// What is taken for a size that is not known.
static constexpr int64_t middleSize = 512;
/// Rows and columns of a product's tiles.
static constexpr int64_t tileSide = 64;

static double countOf(const GroupPlan &plan, ArrayRef<unsigned> digits) {
  double count = 1;
  for (unsigned digit : digits)
    count *= plan.getExtent(digit).isStatic() ? plan.getExtent(digit).size
                                              : middleSize;
  return count;
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
  for (int64_t size : type.getShape())
    bytes *= ShapedType::isDynamic(size) ? middleSize : size;
  return bytes;
}

/// Bytes that `op` reads of `operand`: no more than there are, nor than it has
/// points.
static double bytesRead(linalg::LinalgOp op, OpOperand &operand) {
  bool isRead = op.isDpsInput(&operand) ||
                (op.payloadUsesValueFromOperand(&operand) &&
                 !operand.get().getDefiningOp<linalg::FillOp>());
  return isRead ? bytesOf(operand.get()) : 0;
}

GroupCost stof::estimateCost(const GroupPlan &plan) {
  GroupCost cost;
  llvm::SmallDenseSet<Value> read;
  double batch = countOf(plan, plan.getBatch());
  double rows = batch * countOf(plan, plan.getRows());
  double points = rows * countOf(plan, plan.getColumns());
  double body = 0, product = 0;
  for (linalg::LinalgOp op : plan.getOperations()) {
    for (OpOperand &operand : op->getOpOperands())
      if (!plan.isInner(operand.get()) && read.insert(operand.get()).second)
        cost.bytes += bytesRead(op, operand);
    double inside = 1;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (!plan.getLoopDigits(op, loop))
        inside *= countOf(plan, plan.flattenLoop(op, loop));
    bool isRow =
        plan.isRowValued(op) && plan.getRole(op) != GroupPlan::Role::Reduction;
    body += inside * (isRow ? rows : points) *
            (op.getBlock()->getOperations().size() - 1);
    if (plan.getRole(op) != GroupPlan::Role::Product)
      continue;
    auto padded = [&](ArrayRef<unsigned> digits) {
      return llvm::divideCeil(static_cast<int64_t>(countOf(plan, digits)),
                              tileSide) *
             tileSide;
    };
    double inner =
        countOf(plan, plan.flattenLoop(op, getContractionLoops(op)->inner));
    Type element = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
    product = 2 * batch * padded(plan.getRows()) * padded(plan.getColumns()) *
              inner / (element.isF32() ? singleRate : halfRate);
  }
  for (OpResult result : plan.getResults())
    cost.bytes += bytesOf(result);
  cost.microseconds =
      launchTime + std::max({cost.bytes / byteRate, body / bodyRate, product});
  return cost;
}

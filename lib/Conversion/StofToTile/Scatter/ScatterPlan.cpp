//===----------------------------------------------------------------------===//
// A scatter writes in place if neither its original nor a view of it is read
// afterwards, and its buffer is a temporary or a donated argument.
//===----------------------------------------------------------------------===//

#include "ScatterPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

/// Whether the result of `op` is the memory of its first operand.
static bool isView(Operation *op) {
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp, tensor::ExtractSliceOp>(op);
}

ScatterPlan::ScatterPlan(func::FuncOp function,
                         const llvm::SmallBitVector &donated)
    : donated(donated) {
  for (auto op : function.getBody().front().getOps<ScatterOp>()) {
    std::string reason = findObstacle(op);
    reasons[op] = reason;
  }
}

Value ScatterPlan::getFirst(Value value) const {
  while (Operation *op = value.getDefiningOp()) {
    auto scatter = dyn_cast<ScatterOp>(op);
    if (scatter && reasons.contains(op) && isInPlace(scatter))
      value = scatter.getOriginal();
    else if (isView(op))
      value = op->getOperand(0);
    else
      break;
  }
  return value;
}

/// The original of `value` through scatters, which keep the shape.
static Value findWhole(Value value) {
  while (auto scatter = value.getDefiningOp<ScatterOp>())
    value = scatter.getOriginal();
  return value;
}

/// Whether `slice` and the updates of `op`, both of one tensor, are disjoint in
/// some dimension.
static bool areDisjoint(tensor::ExtractSliceOp slice, ScatterOp op) {
  for (auto [dim, expr] : llvm::enumerate(op.getPosition().getResults())) {
    auto at = dyn_cast<AffineConstantExpr>(expr);
    int64_t first = slice.getStaticOffset(dim), size = slice.getStaticSize(dim),
            stride = slice.getStaticStride(dim);
    // A negative index may count from the end.
    if (!at || at.getValue() < 0 || ShapedType::isDynamic(first) ||
        ShapedType::isDynamic(size) || ShapedType::isDynamic(stride) ||
        stride < 1)
      continue;
    int64_t distance = at.getValue() - first;
    if (distance < 0 || distance >= size * stride || distance % stride != 0)
      return true;
  }
  return false;
}

/// Whether `value` or a view of its buffer is read by other users than `op` at
/// the time of `op` or afterwards. Uses of the result of `op` do not count.
bool ScatterPlan::isReadAfter(Value value, ScatterOp op) const {
  Block *block = op->getBlock();
  SmallVector<Value> aliases{value};
  while (!aliases.empty()) {
    Value state = aliases.pop_back_val();
    bool isWhole = findWhole(state) == findWhole(op.getOriginal());
    for (OpOperand &use : state.getUses()) {
      Operation *user = use.getOwner();
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (slice && isWhole && areDisjoint(slice, op))
        continue;
      auto scatter = dyn_cast<ScatterOp>(user);
      bool passesOn =
          isView(user) || (scatter && scatter.isDpsInit(&use) &&
                           reasons.contains(user) && isInPlace(scatter));
      if (passesOn || isa<MaskOpInterface>(user)) {
        // A mask reads its captures where it is used.
        aliases.push_back(user->getResult(0));
        if (isView(user) || isa<MaskOpInterface>(user))
          continue;
      }
      if (isa<tensor::DimOp>(user))
        continue;
      bool isOriginal = user == op && op.isDpsInit(&use);
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!isOriginal && !ancestor->isBeforeInBlock(op))
        return true;
    }
  }
  return false;
}

std::string ScatterPlan::findObstacle(ScatterOp op) {
  Value first = getFirst(op.getOriginal());
  if (auto argument = dyn_cast<BlockArgument>(first)) {
    if (!donated.test(argument.getArgNumber()))
      return ("argument " + Twine(argument.getArgNumber()) +
              " is not donated by the caller")
          .str();
  } else if (first.getDefiningOp<arith::ConstantOp>()) {
    return "the original is a constant";
  }
  if (isReadAfter(first, op))
    return "the original is read afterwards";
  return "";
}

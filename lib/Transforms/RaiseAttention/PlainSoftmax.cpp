//===----------------------------------------------------------------------===//
// 1. From each operation with an exponential, follow its result through
//    elementwise operations and movements to a sum over some loop.
// 2. From the sum, follow on to a division by it.
//===----------------------------------------------------------------------===//

#include "PlainSoftmax.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

bool stof::isExponential(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::PowFOp>(op);
}

static bool hasExponential(linalg::LinalgOp op) {
  return op
      ->walk([&](Operation *inner) {
        return inner != op && isExponential(inner) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` adds up elements along a loop.
static bool isSum(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return false;
  Operation *yield = op.getBlock()->getTerminator();
  return llvm::any_of(yield->getOperands(), [](Value value) {
    return value.getDefiningOp<arith::AddFOp>() != nullptr;
  });
}

/// Whether elements of the result of `op` are those of an operand, one by one
/// or moved.
static bool keepsElements(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return structured.getNumReductionLoops() == 0;
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ReshapeOp, tensor::ExtractSliceOp>(op);
}

/// The operations that take the elements of `op`, itself first.
static SetVector<Operation *> follow(Operation *op) {
  constexpr unsigned most = 64;
  SetVector<Operation *> reached;
  reached.insert(op);
  for (unsigned next = 0; next < reached.size() && next < most; ++next) {
    if (next > 0 && !keepsElements(reached[next]))
      continue;
    for (Operation *user : reached[next]->getUsers())
      if (user->getBlock() == op->getBlock())
        reached.insert(user);
  }
  return reached;
}

/// Whether `op` divides by what it reads of the results of `sums`.
static bool dividesBy(linalg::LinalgOp op, const SetVector<Operation *> &sums) {
  SetVector<Value> denominators;
  for (OpOperand *input : op.getDpsInputOperands())
    if (Operation *producer = input->get().getDefiningOp();
        producer && sums.contains(producer))
      denominators.insert(op.getMatchingBlockArgument(input));
  if (denominators.empty())
    return false;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    bool depends = llvm::any_of(inner.getOperands(), [&](Value value) {
      return denominators.contains(value);
    });
    auto division = dyn_cast<arith::DivFOp>(inner);
    if (division && denominators.contains(division.getRhs()))
      return true;
    if (depends)
      denominators.insert_range(inner.getResults());
  }
  return false;
}

SmallVector<PlainSoftmax> stof::findSoftmaxes(Operation *function) {
  SmallVector<PlainSoftmax> found;
  DenseSet<Operation *> claimed;
  function->walk([&](linalg::LinalgOp op) {
    if (!op.hasPureTensorSemantics() || !hasExponential(op) ||
        claimed.contains(op))
      return;
    for (Operation *reached : follow(op)) {
      auto sum = dyn_cast<linalg::LinalgOp>(reached);
      if (!sum || !isSum(sum))
        continue;
      SetVector<Operation *> behind = follow(sum);
      PlainSoftmax softmax{op, {}};
      softmax.operations.insert(op);
      softmax.operations.insert(sum);
      for (Operation *user : behind)
        if (auto division = dyn_cast<linalg::LinalgOp>(user);
            division && division != sum && dividesBy(division, behind))
          softmax.operations.insert(division);
      constexpr unsigned withoutDivision = 2;
      bool isDivided =
          softmax.operations.size() > (sum.getOperation() == op.getOperation()
                                           ? withoutDivision - 1
                                           : withoutDivision);
      if (!isDivided)
        continue;
      claimed.insert_range(softmax.operations);
      found.push_back(std::move(softmax));
      return;
    }
  });
  return found;
}

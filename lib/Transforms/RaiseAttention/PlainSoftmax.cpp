//===----------------------------------------------------------------------===//
// Softmaxes by their shape:
//
// 1. The tensor of each exponential is followed through elementwise operations
//    and movements. It is plain if these are casts and movements only.
// 2. A sum of a plain tensor is that of a softmax if its users divide by it.
//===----------------------------------------------------------------------===//

#include "PlainSoftmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

bool stof::isExponential(Operation *op) {
  return isa<math::ExpOp, math::Exp2Op, math::PowFOp>(op);
}

static bool isMovement(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ReshapeOp, tensor::ExtractSliceOp>(op);
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// The operation that computes the exponential in `element`, a value in the
/// body of `op`. If `isPlain`, `element` must be the exponential up to casts;
/// otherwise it may also have it as a factor, a numerator or an operand of a
/// select.
Operation *Exponentials::findOrigin(linalg::LinalgOp op, Value element,
                                    bool isPlain) const {
  const auto &known = isPlain ? plain : origins;
  SmallVector<Value> open{element};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != op.getBlock())
        continue;
      OpOperand *operand = op.getMatchingOpOperand(argument);
      if (Operation *origin =
              op.isDpsInput(operand) ? known.lookup(operand->get()) : nullptr)
        return origin;
      continue;
    }
    Operation *made = value.getDefiningOp();
    if (isExponential(made))
      return op;
    if (isa<arith::ExtFOp, arith::TruncFOp>(made))
      open.push_back(made->getOperand(0));
    else if (auto read = dyn_cast<tensor::ExtractOp>(made)) {
      if (Operation *origin = known.lookup(read.getTensor()))
        return origin;
    } else if (isPlain)
      continue;
    else if (isa<arith::MulFOp>(made))
      llvm::append_range(open, made->getOperands());
    else if (isa<arith::DivFOp>(made))
      open.push_back(made->getOperand(0));
    else if (isa<arith::SelectOp>(made))
      llvm::append_range(open, made->getOperands().drop_front());
  }
  return nullptr;
}

void Exponentials::follow(linalg::LinalgOp op) {
  Operation *yield = op.getBlock()->getTerminator();
  for (auto [result, element] :
       llvm::zip(op->getResults(), yield->getOperands())) {
    if (op.getNumReductionLoops() == 0) {
      if (Operation *origin = findOrigin(op, element, /*isPlain=*/false))
        origins[result] = origin;
      if (Operation *origin = findOrigin(op, element, /*isPlain=*/true))
        plain[result] = origin;
      continue;
    }
    auto added = element.getDefiningOp<arith::AddFOp>();
    BlockArgument running = op.getMatchingBlockArgument(
        op.getDpsInitOperand(result.getResultNumber()));
    if (!added || !llvm::is_contained(added->getOperands(), running))
      continue;
    Value term = added.getLhs() == running ? added.getRhs() : added.getLhs();
    if (Operation *origin = findOrigin(op, term, /*isPlain=*/true))
      sums.push_back({op, origin});
  }
}

void Exponentials::follow(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (structured.hasPureTensorSemantics())
      follow(structured);
    return;
  }
  if (isa<linalg::SoftmaxOp>(op))
    origins[op->getResult(0)] = op;
  if (!isMovement(op))
    return;
  for (auto *known : {&origins, &plain})
    if (Operation *origin = known->lookup(op->getOperand(0)))
      (*known)[op->getResult(0)] = origin;
}

Exponentials::Exponentials(Operation *function) {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) { follow(op); });
}

bool Exponentials::areWeights(Value tensor) const {
  Operation *origin = origins.lookup(tensor);
  return origin && (isa<linalg::SoftmaxOp>(origin) ||
                    llvm::any_of(sums, [&](const Sum &sum) {
                      return sum.exponential == origin;
                    }));
}

//===----------------------------------------------------------------------===//
// Softmaxes
//===----------------------------------------------------------------------===//

/// The transitive users of the elements of `sum`, starting with itself.
static SetVector<Operation *> listUsers(Operation *sum) {
  constexpr unsigned most = 64;
  SetVector<Operation *> reached;
  reached.insert(sum);
  for (unsigned next = 0; next < reached.size() && next < most; ++next) {
    auto structured = dyn_cast<linalg::LinalgOp>(reached[next]);
    bool keepsElements = structured ? structured.getNumReductionLoops() == 0
                                    : isMovement(reached[next]);
    if (next > 0 && !keepsElements)
      continue;
    for (Operation *user : reached[next]->getUsers())
      if (user->getBlock() == sum->getBlock())
        reached.insert(user);
  }
  return reached;
}

/// Whether `op` divides by values computed from the results of `sums`.
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

SmallVector<PlainSoftmax> Exponentials::findSoftmaxes() const {
  SmallVector<PlainSoftmax> found;
  DenseSet<Operation *> claimed;
  for (auto [sum, exponential] : sums) {
    SetVector<Operation *> users = listUsers(sum), divisions;
    for (Operation *user : users)
      if (auto division = dyn_cast<linalg::LinalgOp>(user);
          division && division != sum && dividesBy(division, users))
        divisions.insert(division);
    if (divisions.empty() || !claimed.insert(exponential).second)
      continue;
    PlainSoftmax softmax{exponential, {}};
    softmax.operations.insert(exponential);
    softmax.operations.insert(sum);
    softmax.operations.insert_range(divisions);
    found.push_back(std::move(softmax));
  }
  return found;
}

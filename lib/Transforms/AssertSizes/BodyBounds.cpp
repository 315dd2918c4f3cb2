//===----------------------------------------------------------------------===//
// Bounds from the inside of a body: indices of loops, sums and choices of them,
// and elements that another body has computed.
//===----------------------------------------------------------------------===//

#include "BodyBounds.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace stof;

SmallVector<CountExpr> stof::loopSizes(linalg::LinalgOp op,
                                       const SizeFacts &facts) {
  SmallVector<std::optional<CountExpr>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index))
        if (!loops[loop.getPosition()])
          loops[loop.getPosition()] = facts.sizeOf(operand.get(), dim);
  }
  return llvm::map_to_vector(loops,
                             [](const auto &size) { return size.value_or(1); });
}

static CountExpr floorDivide(const CountExpr &value, const CountExpr &divisor) {
  return CountExpr::floorDivide(value, divisor.constant().value_or(1));
}

Bounds BodyBounds::of(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, sizes[dim.getPosition()] - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Bounds lhs = of(binary.getLHS());
  Bounds rhs = of(binary.getRHS());
  const CountExpr &factor = rhs.least;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {lhs.least + rhs.least, lhs.greatest + rhs.greatest};
  case AffineExprKind::Mul:
    if (factor.constant() < 0)
      std::swap(lhs.least, lhs.greatest);
    return {lhs.least * factor, lhs.greatest * factor};
  case AffineExprKind::Mod:
    return {0, factor - 1};
  case AffineExprKind::FloorDiv:
    return {floorDivide(lhs.least, factor), floorDivide(lhs.greatest, factor)};
  default:
    return {floorDivide(lhs.least + (factor - 1), factor),
            floorDivide(lhs.greatest + (factor - 1), factor)};
  }
}

SmallVector<BoundsCase> BodyBounds::of(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  CountExpr expr = facts.valueOf(value);
  if (facts.isOfInputs(expr))
    return {{1, {expr, expr}}};
  Block *body = op.getBlock();
  if (auto element = dyn_cast<BlockArgument>(value)) {
    if (element.getOwner() != body)
      return {};
    OpOperand *operand = op.getMatchingOpOperand(element);
    // All of its elements are read.
    bool isWhole = op.isDpsInput(operand) &&
                   op.getMatchingIndexingMap(operand).isProjectedPermutation();
    return isWhole ? elementsOf(operand->get()) : SmallVector<BoundsCase>();
  }
  Operation *made = value.getDefiningOp();
  if (made->getBlock() != body)
    return {};
  if (auto place = known.find(value); place != known.end())
    return place->second;
  SmallVector<BoundsCase> cases = compute(made);
  known.try_emplace(value, cases);
  return cases;
}

SmallVector<BoundsCase> BodyBounds::elementsOf(Value tensor) const {
  constexpr unsigned mostBodies = 8;
  auto result = dyn_cast<OpResult>(tensor);
  if (!result || depth == mostBodies)
    return {};
  Operation *made = result.getOwner();
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          linalg::BroadcastOp, linalg::TransposeOp>(made))
    return elementsOf(made->getOperand(0));
  auto generic = dyn_cast<linalg::GenericOp>(made);
  if (!generic || generic.getNumParallelLoops() != generic.getNumLoops())
    return {};
  Operation *yield = generic.getBlock()->getTerminator();
  return BodyBounds(generic, facts, depth + 1)
      .of(yield->getOperand(result.getResultNumber()));
}

/// Whether a comparison is true, or false, of all values within bounds.
std::optional<bool> BodyBounds::decide(Value condition) {
  using Predicate = arith::CmpIPredicate;
  auto compared = condition.getDefiningOp<arith::CmpIOp>();
  if (!compared)
    return std::nullopt;
  SmallVector<BoundsCase> lhs = of(compared.getLhs());
  SmallVector<BoundsCase> rhs = of(compared.getRhs());
  if (lhs.size() != 1 || rhs.size() != 1)
    return std::nullopt;
  // Less is `lhs + 1 <= rhs`.
  Predicate predicate = compared.getPredicate();
  bool isSwapped = predicate == Predicate::sgt || predicate == Predicate::sge;
  if (isSwapped)
    std::swap(lhs, rhs);
  if (predicate != Predicate::slt && predicate != Predicate::sle && !isSwapped)
    return std::nullopt;
  int64_t gap = predicate == Predicate::slt || predicate == Predicate::sgt;
  if (facts.isNonNegative(rhs[0].bounds.least - lhs[0].bounds.greatest - gap))
    return true;
  if (facts.isNonNegative(lhs[0].bounds.least - rhs[0].bounds.greatest - 1 +
                          gap))
    return false;
  return std::nullopt;
}

SmallVector<BoundsCase> BodyBounds::choose(arith::SelectOp choice) {
  if (std::optional<bool> holds = decide(choice.getCondition()))
    return of(*holds ? choice.getTrueValue() : choice.getFalseValue());
  SmallVector<BoundsCase> first = of(choice.getTrueValue());
  SmallVector<BoundsCase> second = of(choice.getFalseValue());
  CountExpr holds = facts.valueOf(choice.getCondition());
  if (first.empty() || second.empty() || !facts.isOfInputs(holds))
    return {};
  SmallVector<BoundsCase> cases;
  for (const BoundsCase &one : first)
    cases.push_back({one.guard * holds, one.bounds});
  for (const BoundsCase &one : second)
    cases.push_back({one.guard * (CountExpr(1) - holds), one.bounds});
  llvm::erase_if(
      cases, [](const BoundsCase &one) { return one.guard.constant() == 0; });
  return cases;
}

/// The loops whose index `value` is computed of; nothing if it is of elements.
static std::optional<llvm::SmallBitVector> loopsOf(Value value,
                                                   linalg::LinalgOp op) {
  llvm::SmallBitVector loops(op.getNumLoops());
  SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    Operation *made = values[at].getDefiningOp();
    if (!made)
      return std::nullopt;
    if (auto index = dyn_cast<linalg::IndexOp>(made))
      loops.set(index.getDim());
    if (made->getBlock() == op.getBlock())
      values.insert(made->operand_begin(), made->operand_end());
  }
  return loops;
}

/// Whether the bounds of what two values make are reached: no loop moves both.
static bool areIndependent(Value lhs, Value rhs, linalg::LinalgOp op) {
  std::optional<llvm::SmallBitVector> left = loopsOf(lhs, op);
  std::optional<llvm::SmallBitVector> right = loopsOf(rhs, op);
  return (left && left->none()) || (right && right->none()) ||
         (left && right && !left->anyCommon(*right));
}

/// What `op` makes of operands within bounds, if it is a sum, a difference or a
/// product with a constant.
static std::optional<Bounds> combine(Operation *op, const Bounds &lhs,
                                     const Bounds &rhs) {
  if (isa<arith::AddIOp>(op))
    return Bounds{lhs.least + rhs.least, lhs.greatest + rhs.greatest};
  if (isa<arith::SubIOp>(op))
    return Bounds{lhs.least - rhs.greatest, lhs.greatest - rhs.least};
  std::optional<int64_t> factor = rhs.least.constant();
  if (!isa<arith::MulIOp>(op) || !factor || *factor < 0 ||
      !(rhs.least == rhs.greatest))
    return std::nullopt;
  return Bounds{lhs.least * *factor, lhs.greatest * *factor};
}

SmallVector<BoundsCase> BodyBounds::compute(Operation *made) {
  constexpr size_t mostCases = 16;
  if (auto index = dyn_cast<linalg::IndexOp>(made))
    return {{1, {0, sizes[index.getDim()] - 1}}};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(made))
    return of(made->getOperand(0));
  if (auto choice = dyn_cast<arith::SelectOp>(made))
    return choose(choice);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(made) ||
      !areIndependent(made->getOperand(0), made->getOperand(1), op))
    return {};
  SmallVector<BoundsCase> cases;
  for (const BoundsCase &lhs : of(made->getOperand(0)))
    for (const BoundsCase &rhs : of(made->getOperand(1))) {
      std::optional<Bounds> bounds = combine(made, lhs.bounds, rhs.bounds);
      if (!bounds || cases.size() == mostCases)
        return {};
      cases.push_back({lhs.guard * rhs.guard, *bounds});
    }
  return cases;
}

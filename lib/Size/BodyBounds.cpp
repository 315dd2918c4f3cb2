//===----------------------------------------------------------------------===//
// Bounds of values in a body: coordinates, sums and selects of them, and
// elements that another body computes.
//===----------------------------------------------------------------------===//

#include "stof/Size/BodyBounds.h"

#include "llvm/ADT/SetVector.h"

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

BodyBounds::BodyBounds(Block &body, unsigned first, AttentionOp attention,
                       ValueRange captures, const SizeFacts &facts)
    : body(body), facts(facts), first(first), captures(captures) {
  using Dim = AttentionOp::Dim;
  for (auto dim : {Dim::Batch, Dim::Head, Dim::Position})
    sizes.push_back(facts.sizeOf(attention.getQuery(), dim));
  sizes.push_back(facts.sizeOf(attention.getKey(), Dim::Position));
}

BodyBounds BodyBounds::ofScore(AttentionOp attention, const SizeFacts &facts) {
  return {attention.getScore().front(),
          AttentionOp::numScoreArguments - MaskOp::numCoordinates, attention,
          attention.getCaptures(), facts};
}

BodyBounds BodyBounds::ofMask(MaskOpInterface mask, AttentionOp attention,
                              const SizeFacts &facts) {
  return {mask.getPredicateRegion()->front(), 0, attention, mask->getOperands(),
          facts};
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

CountExpr BodyBounds::isComputed() const {
  CountExpr all = 1;
  for (const CountExpr &size : sizes)
    all = all * CountExpr::isNonNegative(size - 1);
  return all;
}

CountExpr BodyBounds::sizeOf(Value tensor, int64_t dim) const {
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (argument && argument.getOwner() == &body && !op)
    tensor = captures[argument.getArgNumber() - first - sizes.size()];
  return facts.sizeOf(tensor, dim);
}

void BodyBounds::forEachRead(
    function_ref<void(tensor::ExtractOp, unsigned, Value, const CountExpr &)>
        visit) {
  for (auto read : body.getOps<tensor::ExtractOp>())
    for (auto [dim, index] : llvm::enumerate(read.getIndices()))
      visit(read, dim, index, sizeOf(read.getTensor(), dim));
}

bool stof::isDecidedByHost(ArrayRef<BoundsCase> cases, const SizeFacts &facts) {
  return !cases.empty() && llvm::all_of(cases, [&](const BoundsCase &one) {
    return facts.isOfInputs(facts.simplify(one.guard)) &&
           facts.isOfInputs(facts.simplify(one.bounds.least)) &&
           facts.isOfInputs(facts.simplify(one.bounds.greatest));
  });
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

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

std::optional<unsigned> BodyBounds::coordinateOf(Value value) const {
  if (auto index = value.getDefiningOp<linalg::IndexOp>())
    if (op && index->getBlock() == &body)
      return index.getDim();
  auto argument = dyn_cast<BlockArgument>(value);
  if (op || !argument || argument.getOwner() != &body ||
      argument.getArgNumber() < first ||
      argument.getArgNumber() >= first + sizes.size())
    return std::nullopt;
  return argument.getArgNumber() - first;
}

/// Whether all elements of an operand are read: each dimension has a loop or
/// one element.
static bool isReadWhole(linalg::LinalgOp op, OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return false;
  return llvm::all_of(llvm::enumerate(map.getResults()), [&](auto index) {
    return isa<AffineDimExpr>(index.value()) ||
           type.getDimSize(index.index()) == 1;
  });
}

SmallVector<BoundsCase> BodyBounds::ofArgument(BlockArgument argument) {
  if (argument.getOwner() != &body)
    return {};
  if (op) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    return op.isDpsInput(operand) && isReadWhole(op, *operand)
               ? elementsOf(operand->get())
               : SmallVector<BoundsCase>();
  }
  if (argument.getArgNumber() < first + sizes.size())
    return {};
  CountExpr captured =
      facts.valueOf(captures[argument.getArgNumber() - first - sizes.size()]);
  if (!facts.isOfInputs(captured))
    return {};
  return {{1, {captured, captured}}};
}

SmallVector<BoundsCase> BodyBounds::of(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  if (std::optional<unsigned> coordinate = coordinateOf(value))
    return {{1, {0, sizes[*coordinate] - 1}}};
  CountExpr expr = facts.valueOf(value);
  if (facts.isOfInputs(expr))
    return {{1, {expr, expr}}};
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  Operation *made = value.getDefiningOp();
  if (made->getBlock() != &body)
    return {};
  if (auto it = known.find(value); it != known.end())
    return it->second;
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

/// The result of a comparison if it is the same for all values within bounds.
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

/// The coordinates that `value` depends on; std::nullopt if it depends on other
/// arguments.
std::optional<llvm::SmallBitVector>
BodyBounds::coordinatesOf(Value value) const {
  llvm::SmallBitVector coordinates(sizes.size());
  SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    if (std::optional<unsigned> coordinate = coordinateOf(values[at])) {
      coordinates.set(*coordinate);
      continue;
    }
    Operation *made = values[at].getDefiningOp();
    if (!made)
      return std::nullopt;
    if (made->getBlock() == &body)
      values.insert(made->operand_begin(), made->operand_end());
  }
  return coordinates;
}

/// Whether no coordinate occurs in both values: bounds of a sum or a product of
/// them are attained.
bool BodyBounds::areIndependent(Value lhs, Value rhs) const {
  std::optional<llvm::SmallBitVector> left = coordinatesOf(lhs);
  std::optional<llvm::SmallBitVector> right = coordinatesOf(rhs);
  return (left && left->none()) || (right && right->none()) ||
         (left && right && !left->anyCommon(*right));
}

/// The bounds of `op` if it is a sum, a difference or a product with a
/// nonnegative constant.
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
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(made))
    return of(made->getOperand(0));
  if (auto choice = dyn_cast<arith::SelectOp>(made))
    return choose(choice);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(made) ||
      !areIndependent(made->getOperand(0), made->getOperand(1)))
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

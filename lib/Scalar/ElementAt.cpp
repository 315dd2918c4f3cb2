//===----------------------------------------------------------------------===//
// What one element of a tensor is: the walk backwards, and linalg operations.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ElementAt.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

ElementAt::Step::Step(ElementAt &walk) : walk(walk) {
  if (walk.depth++ == 0)
    walk.begin = walk.context.size();
}

ElementAt::Step::~Step() {
  // What has been cut off may be of use in a shorter walk.
  if (--walk.depth == 0 && walk.context.size() - walk.begin > mostNodes)
    walk.known.clear();
}

bool ElementAt::isTooFar() {
  bool isTooFar =
      depth >= maxDepth || (depth > 0 && context.size() - begin > mostNodes);
  exhausted |= isTooFar;
  return isTooFar;
}

const Expr *ElementAt::at(Value tensor, ArrayRef<const Expr *> indices) {
  const Expr *leaf = context.element(tensor, indices);
  if (auto it = known.find(leaf); it != known.end())
    return it->second;
  if (isTooFar())
    return leaf;
  Step step(*this);
  // A value that is computed from itself (as in a graph region) is a leaf.
  known[leaf] = leaf;
  llvm::SaveAndRestore<bool> deep(shallow, false);
  const Expr *result = compute(tensor, indices);
  if (!result)
    result = leaf;
  if (result->op == ScalarOp::Reduce && !result->origin)
    result->origin = leaf;
  return known[leaf] = result;
}

const Expr *ElementAt::step(const Expr *element) {
  llvm::SaveAndRestore<bool> one(shallow, true);
  Step step(*this);
  return compute(element->value, element->operands);
}

const Expr *ElementAt::element(Value tensor, ArrayRef<const Expr *> indices) {
  // Constants are worth knowing at any depth.
  if (shallow && !isa_and_nonnull<arith::ConstantOp, linalg::FillOp>(
                     tensor.getDefiningOp()))
    return context.element(tensor, indices);
  return at(tensor, indices);
}

const Expr *ElementAt::compute(Value tensor, ArrayRef<const Expr *> indices) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return nullptr;
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return ofConstant(constant, tensor, indices);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return ofLinalg(structured, result.getResultNumber(), indices);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return ofSoftmax(softmax, indices);
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return ofShapeOp(op, indices);
  // Scalar operations on whole tensors.
  SmallVector<const Expr *> operands;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    if (!isTensor && !operand.getType().isIntOrIndexOrFloat())
      return nullptr;
    operands.push_back(isTensor ? element(operand, indices) : scalar(operand));
  }
  return ofOperation(op, operands);
}

const Expr *ElementAt::ofConstant(arith::ConstantOp op, Value tensor,
                                  ArrayRef<const Expr *> indices) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return nullptr;
  Type type = elements.getElementType();
  if (!type.isIntOrIndexOrFloat())
    return nullptr;
  auto ofAttribute = [&](Attribute value) {
    auto typed = dyn_cast<TypedAttr>(value);
    return typed ? context.constant(typed) : nullptr;
  };
  if (elements.isSplat())
    return ofAttribute(elements.getSplatValue<Attribute>());
  ArrayRef<int64_t> shape = elements.getType().getShape();
  int64_t position = 0;
  for (auto [index, size] : llvm::zip(indices, shape)) {
    std::optional<int64_t> fixed = index->getInt();
    if (!fixed || *fixed < 0 || *fixed >= size)
      return nullptr;
    position = position * size + *fixed;
  }
  return ofAttribute(*std::next(elements.value_begin<Attribute>(), position));
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

const Expr *ElementAt::ofAffine(AffineExpr expr, ArrayRef<const Expr *> dims,
                                ArrayRef<const Expr *> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return context.integer(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  const Expr *lhs = ofAffine(binary.getLHS(), dims, symbols);
  const Expr *rhs = ofAffine(binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return context.add(lhs, rhs);
  case AffineExprKind::Mul:
    return context.mul(lhs, rhs);
  case AffineExprKind::Mod:
    return context.mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return context.floorDiv(lhs, rhs);
  case AffineExprKind::CeilDiv: {
    // The negative of a floor of the negative.
    const Expr *negative = context.linear({lhs}, {-1}, 0);
    return context.linear({context.floorDiv(negative, rhs)}, {-1}, 0);
  }
  default:
    llvm_unreachable("no other affine operation has two operands");
  }
}

const Expr *ElementAt::extentOf(linalg::LinalgOp op, unsigned loop) {
  const Expr *best = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto position = dyn_cast<AffineDimExpr>(expr);
      if (!position || position.getPosition() != loop)
        continue;
      const Expr *extent = size(operand.get(), dim);
      if (extent->getInt())
        return extent;
      if (!best)
        best = extent;
    }
  }
  return best;
}

const Expr *ElementAt::ofLinalg(linalg::LinalgOp op, unsigned result,
                                ArrayRef<const Expr *> indices) {
  if (!op.hasPureTensorSemantics() || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return nullptr;
  // Loops are found from the map of the result.
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  unsigned numLoops = op.getNumLoops();
  SmallVector<const Expr *> loops(numLoops, nullptr);
  for (auto [expr, index] : llvm::zip(map.getResults(), indices)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      loops[dim.getPosition()] = index;
    else if (!isa<AffineConstantExpr>(expr))
      return nullptr;
  }
  SmallVector<const Expr *> bound;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (loops[loop]) {
      if (kind != utils::IteratorType::parallel)
        return nullptr;
      continue;
    }
    const Expr *extent = extentOf(op, loop);
    if (!extent)
      return nullptr;
    if (extent->getInt() == 1) {
      loops[loop] = context.integer(0);
      continue;
    }
    if (kind != utils::IteratorType::reduction)
      return nullptr;
    loops[loop] = context.variable(extent);
    bound.push_back(loops[loop]);
  }
  if (op.getNumReductionLoops() != 0)
    return ofReduction(op, result, loops, bound, indices);

  Scope scope;
  return ofBody(op.getBlock()->getTerminator()->getOperand(result), scope, op,
                loops);
}

const Expr *ElementAt::ofBody(Value value, Scope &scope, linalg::LinalgOp op,
                              ArrayRef<const Expr *> loops) {
  if (auto it = scope.find(value); it != scope.end())
    return it->second;
  auto remember = [&](const Expr *expr) { return scope[value] = expr; };
  Block *body = op.getBlock();
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == body) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!isa<RankedTensorType>(operand->get().getType()))
      return remember(scalar(operand->get()));
    SmallVector<const Expr *> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      indices.push_back(ofAffine(expr, loops, {}));
    return remember(element(operand->get(), indices));
  }
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != body)
    return remember(scalar(value));
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return remember(loops[index.getDim()]);
  if (def->getNumRegions() != 0 || def->getNumResults() != 1 || isTooFar())
    return remember(nullptr);
  Step step(*this);
  // A gather.
  SmallVector<const Expr *> operands;
  auto extract = dyn_cast<tensor::ExtractOp>(def);
  for (Value operand : extract ? ValueRange(extract.getIndices())
                               : ValueRange(def->getOperands())) {
    const Expr *expr = ofBody(operand, scope, op, loops);
    if (!expr)
      return remember(nullptr);
    operands.push_back(expr);
  }
  if (extract)
    return remember(element(extract.getTensor(), operands));
  return remember(ofOperation(def, operands));
}

/// How `op` combines, if it is one of the ways that are known.
static std::optional<ReduceKind> getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<ReduceKind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return ReduceKind::Add; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return ReduceKind::Mul; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(
          [](auto) { return ReduceKind::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(
          [](auto) { return ReduceKind::Min; })
      .Case<arith::AndIOp>([](auto) { return ReduceKind::And; })
      .Case<arith::OrIOp>([](auto) { return ReduceKind::Or; })
      .Default([](auto) { return std::nullopt; });
}

/// The element and the kind of a reduction step `yield combine(element, out)`.
static bool matchStep(Value yielded, BlockArgument out, Value &term,
                      ReduceKind &kind) {
  Operation *op = yielded.getDefiningOp();
  if (!op)
    return false;
  // A maximum by comparison.
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!compare)
      return false;
    arith::CmpFPredicate predicate = compare.getPredicate();
    bool greater = predicate == arith::CmpFPredicate::OGT ||
                   predicate == arith::CmpFPredicate::OGE ||
                   predicate == arith::CmpFPredicate::UGT ||
                   predicate == arith::CmpFPredicate::UGE;
    bool less = predicate == arith::CmpFPredicate::OLT ||
                predicate == arith::CmpFPredicate::OLE ||
                predicate == arith::CmpFPredicate::ULT ||
                predicate == arith::CmpFPredicate::ULE;
    bool straight = compare.getLhs() == select.getTrueValue() &&
                    compare.getRhs() == select.getFalseValue();
    bool crossed = compare.getRhs() == select.getTrueValue() &&
                   compare.getLhs() == select.getFalseValue();
    if ((!greater && !less) || (!straight && !crossed))
      return false;
    kind = greater == straight ? ReduceKind::Max : ReduceKind::Min;
    term = select.getTrueValue() == out ? select.getFalseValue()
                                        : select.getTrueValue();
    return select.getTrueValue() == out || select.getFalseValue() == out;
  }
  std::optional<ReduceKind> known = getKind(op);
  if (!known || op->getNumOperands() != 2)
    return false;
  kind = *known;
  if (op->getOperand(0) == out)
    term = op->getOperand(1);
  else if (op->getOperand(1) == out)
    term = op->getOperand(0);
  return term != nullptr;
}

/// Whether `init` leaves a reduction of this kind alone.
static bool isNeutral(ReduceKind kind, const Expr *init) {
  std::optional<APFloat> real = init->getFloat();
  std::optional<int64_t> integer = init->getInt();
  switch (kind) {
  case ReduceKind::Add:
    return (real && real->isZero()) || integer == 0;
  case ReduceKind::Mul:
    return init->isFloatValue(1) || integer == 1;
  case ReduceKind::Max:
    return real && real->isNegative() &&
           (real->isInfinity() || real->isLargest());
  case ReduceKind::Min:
    return real && !real->isNegative() &&
           (real->isInfinity() || real->isLargest());
  case ReduceKind::And:
    return init->getTruth() == true;
  case ReduceKind::Or:
    return init->getTruth() == false;
  }
  return false;
}

/// A truth of a few values, one after another: the table lookups of block
/// masks. Null if it is asked of more, or of scores: a row is known by its
/// keys.
static const Expr *writeOut(ExprContext &context, ReduceKind kind,
                            const Expr *value, ArrayRef<const Expr *> bound) {
  constexpr int64_t fewValues = 16;
  bool isOfAll = kind == ReduceKind::And;
  if (bound.size() != 1 || !value->isTruth() ||
      (!isOfAll && kind != ReduceKind::Or))
    return nullptr;
  std::optional<int64_t> count = bound[0]->operands[0]->getInt();
  bool isOfScores = false;
  walkExpr(value, [&](const Expr *inner) {
    isOfScores |= inner->op == ScalarOp::Reduce && inner->isFloat();
  });
  if (!count || *count > fewValues || isOfScores)
    return nullptr;
  const Expr *all = context.truth(isOfAll);
  for (int64_t i = 0; i < *count; ++i) {
    const Expr *one =
        context.substitute(value, ExprMap{{bound[0], context.integer(i)}});
    all = isOfAll ? context.andI(all, one) : context.orI(all, one);
  }
  return all;
}

const Expr *ElementAt::ofReduction(linalg::LinalgOp op, unsigned result,
                                   ArrayRef<const Expr *> loops,
                                   ArrayRef<const Expr *> bound,
                                   ArrayRef<const Expr *> indices) {
  Block *body = op.getBlock();
  BlockArgument out = body->getArgument(op.getNumDpsInputs() + result);
  ReduceKind kind;
  Value term;
  if (!matchStep(body->getTerminator()->getOperand(result), out, term, kind))
    return nullptr;

  Scope scope;
  // Elements of other running results, such as the argument of the maximum, are
  // not expressions of the indices.
  for (BlockArgument running : op.getRegionOutputArgs())
    scope[running] = nullptr;
  const Expr *value = nullptr;
  if (!shallow && isSumOfProducts(op)) {
    llvm::SaveAndRestore<bool> stop(shallow, true);
    Scope one = scope;
    if (const Expr *summed = ofBody(term, one, op, loops))
      value = openProduct(summed, bound);
  }
  if (!value) {
    llvm::SaveAndRestore<bool> stop(shallow, shallow || isContraction(op));
    value = ofBody(term, scope, op, loops);
  }
  if (!value)
    return nullptr;

  if (const Expr *all = writeOut(context, kind, value, bound))
    return all;
  const Expr *reduced = context.reduce(kind, value, bound);
  Value initial = op.getDpsInitOperand(result)->get();
  const Expr *start = at(initial, indices);
  // maxnumf and minnumf start from NaN, which they ignore.
  Operation *step = body->getTerminator()->getOperand(result).getDefiningOp();
  std::optional<APFloat> number = start->getFloat();
  bool isIgnored = number && number->isNaN() &&
                   isa<arith::MaxNumFOp, arith::MinNumFOp>(step);
  if (isIgnored || isNeutral(kind, start))
    return reduced;
  if (!reduced->isFloat())
    return nullptr;
  switch (kind) {
  case ReduceKind::Add:
    return context.floatOp(ScalarOp::AddF, reduced->type, {reduced, start});
  case ReduceKind::Max:
    return context.floatOp(ScalarOp::MaxF, reduced->type, {reduced, start});
  case ReduceKind::Min:
    return context.floatOp(ScalarOp::MinF, reduced->type, {reduced, start});
  default:
    return nullptr;
  }
}

const Expr *ElementAt::ofSoftmax(linalg::SoftmaxOp op,
                                 ArrayRef<const Expr *> indices) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return nullptr;
  unsigned dim = op.getDimension();
  const Expr *key = indexOf(op.getInput(), dim);
  SmallVector<const Expr *> others(indices);
  others[dim] = key;
  const Expr *score = element(op.getInput(), indices);
  const Expr *any = element(op.getInput(), others);
  Type type = score->type;
  const Expr *max = context.reduce(ReduceKind::Max, any, key);
  auto weight = [&](const Expr *expr) {
    return context.floatOp(ScalarOp::Exp, type,
                           context.floatOp(ScalarOp::SubF, type, {expr, max}));
  };
  const Expr *sum = context.reduce(ReduceKind::Add, weight(any), key);
  return context.floatOp(ScalarOp::DivF, type, {weight(score), sum});
}

//===----------------------------------------------------------------------===//
// Expressions of tensor elements: the walk from an element to the operations
// that compute it, and the expressions of these operations.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/TensorElement.h"

#include "ReadScalarOp.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

TensorElement::Step::Step(TensorElement &walk) : walk(walk) {
  if (walk.depth++ == 0)
    walk.begin = walk.context.size();
}

TensorElement::Step::~Step() {
  // Cached results may be cut off; a shorter walk can go further.
  if (--walk.depth == 0 && walk.context.size() - walk.begin > mostNodes)
    walk.known.clear();
}

bool TensorElement::isTooFar() {
  bool isTooFar =
      depth >= maxDepth || (depth > 0 && context.size() - begin > mostNodes);
  exhausted |= isTooFar;
  return isTooFar;
}

const Expr *TensorElement::at(Value tensor, ArrayRef<const Expr *> indices) {
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

const Expr *TensorElement::step(const Expr *element) {
  llvm::SaveAndRestore<bool> one(shallow, true);
  Step step(*this);
  return compute(element->value, element->operands);
}

const Expr *TensorElement::element(Value tensor,
                                   ArrayRef<const Expr *> indices) {
  // Constants are read at any depth.
  if (shallow &&
      !isa_and_nonnull<arith::ConstantOp, memref::GetGlobalOp, linalg::FillOp>(
          tensor.getDefiningOp()))
    return context.element(tensor, indices);
  return at(tensor, indices);
}

/// The elements of a constant global, or null.
static Attribute readGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  return global ? global.getConstantInitValue() : ElementsAttr();
}

const Expr *TensorElement::compute(Value tensor,
                                   ArrayRef<const Expr *> indices) {
  auto result = dyn_cast<OpResult>(tensor);
  if (!result)
    return nullptr;
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return ofConstant(constant.getValue(), indices);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return ofConstant(readGlobal(global), indices);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return ofLinalg(structured, result.getResultNumber(), indices);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return ofSoftmax(softmax, indices);
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return ofShapeOp(op, indices);
  // Elementwise operations on whole tensors.
  SmallVector<const Expr *> operands;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    if (!isTensor && !operand.getType().isIntOrIndexOrFloat())
      return nullptr;
    operands.push_back(isTensor ? element(operand, indices) : scalar(operand));
  }
  return ofOperation(op, operands);
}

/// The row-major position of an element, if its indices are constants in
/// bounds.
static std::optional<int64_t> getPosition(ArrayRef<const Expr *> indices,
                                          ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [index, size] : llvm::zip_equal(indices, shape)) {
    std::optional<int64_t> fixed = index->getInt();
    if (!fixed || *fixed < 0 || *fixed >= size)
      return std::nullopt;
    position = position * size + *fixed;
  }
  return position;
}

const Expr *TensorElement::ofConstant(Attribute constant,
                                      ArrayRef<const Expr *> indices) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
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
  std::optional<int64_t> position =
      getPosition(indices, elements.getType().getShape());
  if (!position)
    return nullptr;
  return ofAttribute(*std::next(elements.value_begin<Attribute>(), *position));
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

const Expr *TensorElement::ofAffine(AffineExpr expr,
                                    ArrayRef<const Expr *> dims,
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
    // a ceildiv b is -(-a floordiv b).
    const Expr *negative = context.linear({lhs}, {-1}, 0);
    return context.linear({context.floorDiv(negative, rhs)}, {-1}, 0);
  }
  default:
    llvm_unreachable("no other affine operation has two operands");
  }
}

const Expr *TensorElement::extentOf(linalg::LinalgOp op, unsigned loop) {
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

const Expr *TensorElement::ofLinalg(linalg::LinalgOp op, unsigned result,
                                    ArrayRef<const Expr *> indices) {
  if (!op.hasPureTensorSemantics() || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return nullptr;
  // The indexing map of the result determines the parallel loops.
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

const Expr *TensorElement::ofBody(Value value, Scope &scope,
                                  linalg::LinalgOp op,
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
  // A tensor.extract is a gather; its operands are the indices.
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

/// The kind of reduction that combines by `op`, if it is supported.
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

/// Matches a reduction step `yield combine(term, out)`.
static bool matchStep(Value yielded, BlockArgument out, Value &term,
                      ReduceKind &kind) {
  Operation *op = yielded.getDefiningOp();
  if (!op)
    return false;
  // A maximum or minimum as a select by comparison.
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

/// Whether `init` is neutral in a reduction of this kind.
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
    return init->getBool() == true;
  case ReduceKind::Or:
    return init->getBool() == false;
  }
  return false;
}

/// Unrolls the reduction of a predicate over a few values, such as the table
/// lookup of a block mask. Null if there are more values, or if the predicate
/// reads scores: these stay reductions over the keys of a row.
static const Expr *writeOut(ExprContext &context, ReduceKind kind,
                            const Expr *value, ArrayRef<const Expr *> bound) {
  constexpr int64_t fewValues = 16;
  bool isOfAll = kind == ReduceKind::And;
  if (bound.size() != 1 || !value->isPredicate() ||
      (!isOfAll && kind != ReduceKind::Or))
    return nullptr;
  std::optional<int64_t> count = bound[0]->operands[0]->getInt();
  bool isOfScores = false;
  walkExpr(value, [&](const Expr *inner) {
    isOfScores |= inner->op == ScalarOp::Reduce && inner->isFloat();
  });
  if (!count || *count > fewValues || isOfScores)
    return nullptr;
  const Expr *all = context.boolean(isOfAll);
  for (int64_t i = 0; i < *count; ++i) {
    const Expr *one =
        context.substitute(value, ExprMap{{bound[0], context.integer(i)}});
    all = isOfAll ? context.andI(all, one) : context.orI(all, one);
  }
  return all;
}

const Expr *TensorElement::ofReduction(linalg::LinalgOp op, unsigned result,
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
  // Other running results, such as the index of the maximum, are not
  // expressions of the indices.
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
  // maxnumf and minnumf ignore an initial NaN.
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

const Expr *TensorElement::ofSoftmax(linalg::SoftmaxOp op,
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

//===----------------------------------------------------------------------===//
// Scalar operations of arith and math
//===----------------------------------------------------------------------===//

const Expr *TensorElement::ofOperation(Operation *op,
                                       ArrayRef<const Expr *> operands) {
  auto check = dyn_cast<CheckOp>(op);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      (!check && !isPure(op)))
    return nullptr;
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (!type.isIntOrIndexOrFloat())
    return nullptr;
  for (const Expr *operand : operands)
    if (!operand)
      return nullptr;

  // A check that is known to hold is removed.
  if (check && operands[1]->getBool() == true)
    return operands[0];
  const Expr *result = check ? nullptr : readScalarOp(context, op, operands);
  if (result)
    return result;
  // Other operations stay opaque, on operands of their original types.
  if (!check && !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return nullptr;
  MLIRContext *ctx = op->getContext();
  SmallVector<const Expr *> typed;
  for (auto [value, operand] : llvm::zip_equal(op->getOperands(), operands)) {
    Type own = getElementTypeOrSelf(value);
    bool isCast = operand->isIndex() && !own.isIndex();
    typed.push_back(
        isCast ? context.other(own, StringAttr::get(ctx, "arith.index_cast"),
                               DictionaryAttr::get(ctx), operand)
               : operand);
  }
  NamedAttrList attributes(op->getAttrDictionary());
  // A check reports its location.
  if (check)
    attributes.set(checkLocationName, check.getLoc());
  return context.other(type, op->getName().getIdentifier(),
                       attributes.getDictionary(ctx), typed);
}

const Expr *TensorElement::choose(const Expr *condition, const Expr *ifTrue,
                                  const Expr *ifFalse) {
  // Integer elements have their own type, computed integers are of type index.
  if (ifTrue->type.isIntOrIndex() && !ifTrue->isPredicate()) {
    ifTrue = context.fromInt(ifTrue);
    ifFalse = context.fromInt(ifFalse);
  }
  return context.select(condition, ifTrue, ifFalse);
}

void TensorElement::bindOpaque(Operation &op,
                               ArrayRef<const Expr *> variables) {
  MLIRContext *ctx = op.getContext();
  std::string text;
  llvm::raw_string_ostream os(text);
  op.print(os, OpPrintingFlags().useLocalScope());
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  SmallVector<const Expr *> operands(variables);
  for (Value value : used) {
    if (Value outer = outerValues.lookup(value))
      value = outer;
    operands.push_back(isa<ShapedType>(value.getType())
                           ? context.element(value, {})
                           : scalar(value));
  }
  for (OpResult result : op.getResults()) {
    auto name = StringAttr::get(ctx, text + "#" +
                                         llvm::Twine(result.getResultNumber()));
    bind(result, context.other(result.getType(), name, {}, operands));
  }
}

//===----------------------------------------------------------------------===//
// Operations on shapes, and sizes
//===----------------------------------------------------------------------===//

const Expr *TensorElement::ofFoldResult(OpFoldResult value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return context.integer(*known);
  return scalar(cast<Value>(value));
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Source indices of a reshape from its result indices, by reassociation. The
/// source is `expanded` if `toExpanded`, else `collapsed`.
static SmallVector<const Expr *>
expandIndices(ExprContext &context, TensorElement &elements, Value collapsed,
              Value expanded, ArrayRef<ReassociationIndices> groups,
              ArrayRef<const Expr *> indices, bool toExpanded) {
  SmallVector<const Expr *> result;
  for (auto [group, members] : llvm::enumerate(groups)) {
    if (toExpanded) {
      // Innermost dim factors first; the outermost one takes the rest.
      SmallVector<const Expr *> dimFactors;
      const Expr *rest = indices[group];
      for (int64_t dim : llvm::reverse(ArrayRef(members).drop_front())) {
        const Expr *size = elements.size(expanded, dim);
        dimFactors.push_back(context.mod(rest, size));
        rest = context.floorDiv(rest, size);
      }
      dimFactors.push_back(rest);
      llvm::append_range(result, llvm::reverse(dimFactors));
      continue;
    }
    const Expr *index = context.integer(0);
    for (int64_t dim : members)
      index = context.add(context.mul(index, elements.size(expanded, dim)),
                          indices[dim]);
    result.push_back(index);
  }
  return result;
}

/// A reshape, through the row-major position of the element.
const Expr *TensorElement::ofReshape(Value source, Value result,
                                     ArrayRef<const Expr *> indices) {
  auto from = dyn_cast<RankedTensorType>(source.getType());
  auto to = dyn_cast<RankedTensorType>(result.getType());
  if (!from || !to)
    return nullptr;
  const Expr *position = context.integer(0);
  for (unsigned dim = 0; dim < to.getRank(); ++dim)
    position =
        context.add(context.mul(position, size(result, dim)), indices[dim]);
  SmallVector<const Expr *> dimFactors;
  for (int64_t dim = from.getRank() - 1; dim > 0; --dim) {
    const Expr *extent = size(source, dim);
    dimFactors.push_back(context.mod(position, extent));
    position = context.floorDiv(position, extent);
  }
  if (from.getRank() > 0)
    dimFactors.push_back(position);
  return element(source, llvm::to_vector(llvm::reverse(dimFactors)));
}

const Expr *TensorElement::speculate(Value tensor,
                                     ArrayRef<const Expr *> indices) {
  const Expr *plain = element(tensor, indices);
  bool isRead = false;
  walkExpr(plain, [&](const Expr *expr) {
    isRead |= expr->op == ScalarOp::Element || expr->op == ScalarOp::Reduce;
  });
  if (!isRead)
    return plain;
  // Reads are clamped to the tensor. Reductions count as reads, since they may
  // be read from memory instead of being recomputed.
  SmallVector<const Expr *> inside;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    const Expr *last = context.sub(size(tensor, dim), context.integer(1));
    inside.push_back(
        context.maxI(context.integer(0), context.minI(index, last)));
  }
  return element(tensor, inside);
}

/// Whether `type` is that of a ranked tensor or buffer.
static bool isRankedShape(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank();
}

const Expr *TensorElement::ofShapeOp(Operation *op,
                                     ArrayRef<const Expr *> indices) {
  return llvm::TypeSwitch<Operation *, const Expr *>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp>(
          [&](auto reshape) { return ofReassociation(reshape, indices); })
      .Case<tensor::CastOp, memref::CastOp>([&](auto cast) {
        bool isRanked = isRankedShape(cast.getSource().getType()) &&
                        isRankedShape(cast.getType());
        return isRanked ? element(cast.getSource(), indices) : nullptr;
      })
      .Case([&](tensor::ReshapeOp reshape) {
        return ofReshape(reshape.getSource(), reshape.getResult(), indices);
      })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp, tensor::InsertSliceOp>(
          [&](auto slice) { return ofSlice(slice, indices); })
      .Case([&](tensor::ConcatOp concat) { return ofConcat(concat, indices); })
      .Case([&](tensor::PadOp pad) { return ofPad(pad, indices); })
      .Case([&](tensor::SplatOp splat) { return scalar(splat.getInput()); })
      .Case([&](tensor::FromElementsOp from) {
        std::optional<int64_t> position =
            getPosition(indices, from.getType().getShape());
        return position ? scalar(from.getElements()[*position]) : nullptr;
      })
      .Default([](auto) { return nullptr; });
}

template <typename ReshapeOp>
const Expr *TensorElement::ofReassociation(ReshapeOp op,
                                           ArrayRef<const Expr *> indices) {
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  if (llvm::any_of(groups, [](auto &group) { return group.empty(); }))
    return nullptr;
  constexpr bool isCollapse =
      llvm::is_one_of<ReshapeOp, tensor::CollapseShapeOp,
                      memref::CollapseShapeOp>::value;
  Value source = op.getSrc(), result = op.getResult();
  if (isCollapse && groups.empty())
    return element(source, SmallVector<const Expr *>(op.getSrcType().getRank(),
                                                     context.integer(0)));
  return element(source,
                 expandIndices(context, *this, isCollapse ? result : source,
                               isCollapse ? source : result, groups, indices,
                               /*toExpanded=*/isCollapse));
}

template <typename SliceOp>
const Expr *TensorElement::ofSlice(SliceOp op, ArrayRef<const Expr *> indices) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<const Expr *> source;
  unsigned next = 0;
  for (unsigned dim = 0, rank = op.getSourceType().getRank(); dim < rank;
       ++dim) {
    const Expr *index = dropped[dim] ? context.integer(0) : indices[next++];
    const Expr *offset = ofFoldResult(op.getMixedOffsets()[dim]);
    source.push_back(context.add(
        offset, context.mul(index, ofFoldResult(op.getMixedStrides()[dim]))));
  }
  return element(op.getSource(), source);
}

const Expr *TensorElement::ofSlice(tensor::InsertSliceOp op,
                                   ArrayRef<const Expr *> indices) {
  const Expr *inside = context.boolean(true);
  SmallVector<const Expr *> source;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (unsigned dim = 0, rank = op.getDestType().getRank(); dim < rank; ++dim) {
    std::optional<int64_t> step =
        getConstantIntValue(op.getMixedStrides()[dim]);
    if (!step || *step < 1)
      return nullptr;
    const Expr *offset = ofFoldResult(op.getMixedOffsets()[dim]);
    const Expr *length = ofFoldResult(op.getMixedSizes()[dim]);
    const Expr *stride = context.integer(*step);
    const Expr *distance = context.sub(indices[dim], offset);
    const Expr *local = context.floorDiv(distance, stride);
    const Expr *onStride =
        context.cmpI(arith::CmpIPredicate::eq, context.mod(distance, stride),
                     context.integer(0));
    const Expr *isBegun =
        context.cmpI(arith::CmpIPredicate::sle, context.integer(0), local);
    const Expr *isBelow =
        context.cmpI(arith::CmpIPredicate::slt, local, length);
    inside = context.andI(inside, context.andI(isBegun, isBelow));
    inside = context.andI(inside, onStride);
    if (!dropped[dim])
      source.push_back(local);
  }
  const Expr *outer = element(op.getDest(), indices);
  return choose(inside, speculate(op.getSource(), source), outer);
}

const Expr *TensorElement::ofConcat(tensor::ConcatOp op,
                                    ArrayRef<const Expr *> indices) {
  unsigned dim = op.getDim();
  const Expr *value = nullptr, *end = context.integer(0);
  SmallVector<std::pair<const Expr *, const Expr *>> parts;
  for (Value input : op.getInputs()) {
    SmallVector<const Expr *> shifted(indices);
    shifted[dim] = context.sub(indices[dim], end);
    end = context.add(end, size(input, dim));
    // Inputs that the index cannot reach are skipped.
    const Expr *below =
        context.cmpI(arith::CmpIPredicate::slt, indices[dim], end);
    const Expr *reached = context.cmpI(arith::CmpIPredicate::sle,
                                       context.integer(0), shifted[dim]);
    if (below->getBool() == false || reached->getBool() == false)
      continue;
    parts.push_back({below, speculate(input, shifted)});
  }
  for (auto [below, part] : llvm::reverse(parts))
    value = value ? choose(below, part, value) : part;
  return value;
}

const Expr *TensorElement::ofPad(tensor::PadOp op,
                                 ArrayRef<const Expr *> indices) {
  Value filler = op.getConstantPaddingValue();
  const Expr *outside = filler ? scalar(filler) : nullptr;
  if (!outside)
    return nullptr;
  const Expr *inside = context.boolean(true);
  SmallVector<const Expr *> source;
  for (auto [dim, low] : llvm::enumerate(op.getMixedLowPad())) {
    const Expr *local = context.sub(indices[dim], ofFoldResult(low));
    const Expr *isBegun =
        context.cmpI(arith::CmpIPredicate::sle, context.integer(0), local);
    const Expr *isBelow = context.cmpI(arith::CmpIPredicate::slt, local,
                                       size(op.getSource(), dim));
    inside = context.andI(inside, context.andI(isBegun, isBelow));
    source.push_back(local);
  }
  return choose(inside, speculate(op.getSource(), source), outside);
}

//===----------------------------------------------------------------------===//
// Sizes and scalars
//===----------------------------------------------------------------------===//

const Expr *TensorElement::size(Value tensor, unsigned dim) {
  auto type = cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return context.integer(type.getDimSize(dim));
  const Expr *leaf = context.extent(tensor, dim);
  if (auto it = known.find(leaf); it != known.end())
    return it->second;
  if (isTooFar())
    return leaf;
  Step step(*this);
  known[leaf] = leaf;
  auto result = dyn_cast<OpResult>(tensor);
  const Expr *computed = result ? computeSize(result, dim) : nullptr;
  // An expression with a range below zero is less precise than an opaque size,
  // which is nonnegative.
  bool isSize = computed && computed->isIndex() && computed->lo >= 0;
  return known[leaf] = isSize ? computed : leaf;
}

const Expr *TensorElement::computeSize(OpResult result, unsigned dim) {
  return llvm::TypeSwitch<Operation *, const Expr *>(result.getOwner())
      .Case([&](tensor::EmptyOp op) { return scalar(op.getDynamicSize(dim)); })
      .Case([&](linalg::LinalgOp op) {
        return size(op.getDpsInitOperand(result.getResultNumber())->get(), dim);
      })
      .Case([&](linalg::SoftmaxOp op) { return size(op.getInput(), dim); })
      .Case<tensor::CastOp, memref::CastOp>([&](auto op) {
        return isRankedShape(op.getSource().getType())
                   ? size(op.getSource(), dim)
                   : nullptr;
      })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>(
          [&](auto op) { return ofFoldResult(op.getMixedOutputShape()[dim]); })
      .Case<tensor::CollapseShapeOp, memref::CollapseShapeOp>([&](auto op) {
        SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
        const Expr *product = context.integer(1);
        for (int64_t member : groups[dim])
          product = context.mul(product, size(op.getSrc(), member));
        return product;
      })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>(
          [&](auto op) -> const Expr * {
            llvm::SmallBitVector dropped = op.getDroppedDims();
            unsigned next = 0;
            for (auto [source, length] : llvm::enumerate(op.getMixedSizes()))
              if (!dropped[source] && next++ == dim)
                return ofFoldResult(length);
            return nullptr;
          })
      .Case([&](tensor::InsertSliceOp op) { return size(op.getDest(), dim); })
      .Case([&](tensor::ReshapeOp op) {
        const Expr *value = at(op.getShape(), context.integer(dim));
        bool isComputed = value->isIndex() && value->op != ScalarOp::FromInt;
        return isComputed ? value : nullptr;
      })
      .Case([&](tensor::ConcatOp op) {
        const Expr *sum = context.integer(0);
        for (Value input : op.getInputs())
          sum = dim == op.getDim() ? context.add(sum, size(input, dim))
                                   : size(input, dim);
        return sum;
      })
      .Case([&](tensor::SplatOp op) {
        unsigned position = llvm::count_if(
            op.getType().getShape().take_front(dim), ShapedType::isDynamic);
        return scalar(op.getDynamicSizes()[position]);
      })
      .Default([](auto) { return nullptr; });
}

const Expr *TensorElement::scalar(Value value) {
  if (Value outer = outerValues.lookup(value))
    return scalar(outer);
  if (auto it = knownScalars.find(value); it != knownScalars.end())
    return it->second;
  const Expr *leaf = context.scalar(value);
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || op->getNumResults() != 1)
    return knownScalars[value] = leaf;
  if (isTooFar())
    return leaf;
  Step step(*this);
  knownScalars[value] = leaf;
  const Expr *result = nullptr;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    result = context.constant(constant.getValue());
  } else if (isa<tensor::DimOp, memref::DimOp>(op)) {
    auto dim = cast<ShapedDimOpInterface>(op);
    Type type = dim.getShapedValue().getType();
    std::optional<int64_t> position = getConstantIntValue(dim.getDimension());
    if (isRankedShape(type) && position && *position >= 0 &&
        *position < cast<ShapedType>(type).getRank())
      result = size(dim.getShapedValue(), *position);
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<const Expr *> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(scalar(operand));
    AffineMap map = apply.getAffineMap();
    result = ofAffine(map.getResult(0),
                      ArrayRef(operands).take_front(map.getNumDims()),
                      ArrayRef(operands).drop_front(map.getNumDims()));
  } else if (isa<tensor::ExtractOp, memref::LoadOp>(op)) {
    SmallVector<const Expr *> indices;
    for (Value index : llvm::drop_begin(op->getOperands()))
      indices.push_back(scalar(index));
    llvm::SaveAndRestore<bool> deep(shallow, false);
    Value tensor = op->getOperand(0);
    if (Value outer = outerValues.lookup(tensor))
      tensor = outer;
    result = at(tensor, indices);
  } else if (!isa<tensor::TensorDialect, memref::MemRefDialect>(
                 op->getDialect())) {
    SmallVector<const Expr *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(scalar(operand));
    result = ofOperation(op, operands);
  }
  return knownScalars[value] = result ? result : leaf;
}

//===----------------------------------------------------------------------===//
// Contractions: one operation, or an elementwise product of broadcast tensors
// that another operation sums.
//===----------------------------------------------------------------------===//

/// The number of operations that are followed between a product and its sum, or
/// between a tensor and its broadcast.
static constexpr unsigned maxMovements = 8;

/// Strips widening casts.
static Value skipWidening(Value value) {
  while (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  return value;
}

/// The summand of `op`, if it has `inputs` inputs and computes only a sum.
static Value getSummand(linalg::LinalgOp op, unsigned inputs) {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != inputs || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return nullptr;
  Block *body = op.getBlock();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return nullptr;
  BlockArgument out = body->getArguments().back();
  return sum.getLhs() == out   ? sum.getRhs()
         : sum.getRhs() == out ? sum.getLhs()
                               : Value();
}

bool stof::isContraction(linalg::LinalgOp op) {
  Value term = getSummand(op, /*inputs=*/2);
  if (!term)
    return false;
  Block *body = op.getBlock();
  BlockArgument out = body->getArguments().back();
  auto product = skipWidening(term).getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  auto lhs = dyn_cast<BlockArgument>(skipWidening(product.getLhs()));
  auto rhs = dyn_cast<BlockArgument>(skipWidening(product.getRhs()));
  return lhs && rhs && lhs.getOwner() == body && rhs.getOwner() == body &&
         lhs != rhs && lhs != out && rhs != out;
}

/// Strips casts between floats.
static Value skipCasts(Value value) {
  while (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Whether `op` multiplies two tensors elementwise.
static bool isElementwiseProduct(Operation *op) {
  if (isa<arith::MulFOp>(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || structured.getNumReductionLoops() != 0 ||
      structured->getNumResults() != 1 || structured->getNumRegions() != 1 ||
      !structured->getRegion(0).hasOneBlock())
    return false;
  Value yielded = structured.getBlock()->getTerminator()->getOperand(0);
  return skipCasts(yielded).getDefiningOp<arith::MulFOp>() != nullptr;
}

/// The input of `op` if it only moves or casts elements, else null.
static Value getMoved(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          arith::ExtFOp, arith::TruncFOp>(op))
    return op->getOperand(0);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic->getNumResults() != 1 || generic.getNumReductionLoops() != 0)
    return nullptr;
  Value yielded = generic.getBlock()->getTerminator()->getOperand(0);
  return skipCasts(yielded) == generic.getBlock()->getArgument(0)
             ? generic.getDpsInputs().front()
             : Value();
}

bool stof::isSumOfProducts(linalg::LinalgOp op) {
  Value term = getSummand(op, /*inputs=*/1);
  if (!term || skipCasts(term) != op.getBlock()->getArgument(0))
    return false;
  Value summed = op.getDpsInputs().front();
  for (unsigned i = 0; i < maxMovements && summed; ++i) {
    Operation *made = summed.getDefiningOp();
    if (!made)
      return false;
    if (isElementwiseProduct(made))
      return true;
    summed = getMoved(made);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Factors of contractions
//===----------------------------------------------------------------------===//

static const Expr *skipCasts(const Expr *expr) {
  while (expr->op == ScalarOp::Cast)
    expr = expr->operands[0];
  return expr;
}

/// The variables in `root`, bound or free.
static SmallPtrSet<const Expr *, 8> variablesIn(const Expr *root) {
  SmallPtrSet<const Expr *, 8> variables;
  walkExpr(root, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Variable || expr->op == ScalarOp::Bound)
      variables.insert(expr);
  });
  return variables;
}

const Expr *TensorElement::unmove(const Expr *element, bool broadcastsOnly) {
  for (unsigned i = 0; i < maxMovements; ++i) {
    const Expr *made = step(element);
    if (!made)
      break;
    made = skipCasts(made);
    if (made->op != ScalarOp::Element ||
        (broadcastsOnly && made->operands.size() >= element->operands.size()))
      break;
    element = made;
  }
  return element;
}

const Expr *TensorElement::openProduct(const Expr *value,
                                       ArrayRef<const Expr *> bound) {
  const Expr *product = value;
  Type narrowest = value->type;
  for (unsigned i = 0; product && product->op != ScalarOp::MulF; ++i) {
    if (product->op == ScalarOp::Cast)
      product = product->operands[0];
    else if (product->op == ScalarOp::Element && i < maxMovements)
      product = step(product);
    else
      return nullptr;
    if (product && product->type.getIntOrFloatBitWidth() <
                       narrowest.getIntOrFloatBitWidth())
      narrowest = product->type;
  }
  if (!product)
    return nullptr;
  const Expr *lhs = skipCasts(product->operands[0]);
  const Expr *rhs = skipCasts(product->operands[1]);
  if (lhs->op != ScalarOp::Element || rhs->op != ScalarOp::Element)
    return nullptr;
  // A mask multiplied with weights depends on no other variables than they do,
  // so the product is no contraction.
  auto ofLhs = variablesIn(unmove(lhs, /*broadcastsOnly=*/false));
  auto ofRhs = variablesIn(unmove(rhs, /*broadcastsOnly=*/false));
  auto isIn = [](const auto &set) {
    return [&set](const Expr *variable) { return set.contains(variable); };
  };
  if (llvm::all_of(ofLhs, isIn(ofRhs)) || llvm::all_of(ofRhs, isIn(ofLhs)) ||
      !llvm::all_of(bound, isIn(ofLhs)) || !llvm::all_of(bound, isIn(ofRhs)))
    return nullptr;
  SmallVector<const Expr *> factors;
  for (const Expr *factor : {lhs, rhs})
    factors.push_back(
        context.cast(unmove(factor, /*broadcastsOnly=*/true), narrowest));
  return context.cast(context.floatOp(ScalarOp::MulF, narrowest, factors),
                      value->type);
}

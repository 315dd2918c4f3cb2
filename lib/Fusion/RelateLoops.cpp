//===----------------------------------------------------------------------===//
// Unification of loops along the data flow of a group.
//
// The functions of a single operation add to the loops of those before it,
// which are invalid if they refuse.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/RelateLoops.h"
#include "RelateElementReads.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace stof;

/// Adds dims of these sizes to `dims`, and unifies them with `whole`, whose
/// factors they are.
static bool divide(ArrayRef<unsigned> whole, ArrayRef<OpFoldResult> sizes,
                   GroupLoops &loops, SmallVectorImpl<DimFactors> &dims) {
  DimFactors parts;
  for (OpFoldResult size : sizes) {
    FactorExtent extent;
    if (std::optional<int64_t> known = getConstantIntValue(size))
      extent.size = *known;
    else
      extent.index = cast<Value>(size);
    parts.push_back(loops.addDimFactor(extent));
    dims.push_back({parts.back()});
  }
  return loops.unify(whole, parts);
}

static SmallVector<OpFoldResult> getResultSizes(tensor::ReshapeOp reshape) {
  auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
  auto type = cast<RankedTensorType>(reshape.getType());
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(shape.getElements()))
    sizes.push_back(type.isDynamicDim(dim)
                        ? OpFoldResult(size)
                        : Builder(reshape).getIndexAttr(type.getDimSize(dim)));
  return sizes;
}

/// Adds the result of a reshape of a value of the group.
static std::optional<Refusal> addReshape(Operation *op, GroupLoops &loops) {
  Value source = op->getOperand(0), result = op->getResult(0);
  SmallVector<DimFactors> from = loops.getValueDims(source), to;
  bool isMatched = true;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (ArrayRef<int64_t> dims : collapse.getReassociationIndices()) {
      to.emplace_back();
      for (int64_t dim : dims)
        llvm::append_range(to.back(), from[dim]);
    }
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    for (auto [dim, dims] : llvm::enumerate(expand.getReassociationIndices()))
      isMatched =
          isMatched &&
          divide(from[dim], ArrayRef(sizes).slice(dims.front(), dims.size()),
                 loops, to);
  } else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    isMatched = divide(loops.getValueDimFactors(source),
                       getResultSizes(reshape), loops, to);
  } else {
    to = from;
  }
  if (!isMatched)
    return Refusal(op, "its source and result dims cannot be matched");
  loops.addValue(result, std::move(to));
  return std::nullopt;
}

/// Unifies the loops of `operand`, a value of the group, with its dims.
static std::optional<Refusal> relateOperand(OpOperand &operand,
                                            GroupLoops &loops) {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  auto type = cast<ShapedType>(operand.get().getType());
  SmallVector<DimFactors> dims = loops.getValueDims(operand.get());
  std::string producer = describeOperation(getOrigin(operand.get()).getOwner());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    std::optional<DimFactors> own =
        loop ? loops.getLoopDimFactors(op, loop.getPosition()) : std::nullopt;
    bool isUnit = isa<AffineConstantExpr>(expr) && type.getDimSize(dim) == 1;
    if (!own && !isUnit)
      return Refusal(op, "it reads the result of " + producer +
                             " at other indices than its own");
    if (own && !loops.unify(dims[dim], *own))
      return Refusal(op, "its iteration space cannot be matched with that of " +
                             producer);
  }
  return std::nullopt;
}

/// Adds the result of `op` for `init`, whose dims are loops of `op`.
static std::optional<Refusal> addResult(OpOperand &init, GroupLoops &loops) {
  auto op = cast<linalg::LinalgOp>(init.getOwner());
  auto type = cast<ShapedType>(init.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&init);
  SmallVector<DimFactors> dims;
  llvm::SmallBitVector found(op.getNumLoops());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    dims.emplace_back();
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      dims.back() = loops.flattenLoop(op, loop.getPosition());
      found.set(loop.getPosition());
    } else if (!isa<AffineConstantExpr>(expr) || type.getDimSize(dim) != 1) {
      return Refusal(op, "expects its result to be indexed by its loops, but "
                         "got affine_map<" +
                             debugString(map) + ">");
    }
  }
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel && !found.test(loop))
      return Refusal(op, "its result does not depend on parallel loop " +
                             Twine(loop));
  loops.addValue(op.getTiedOpResult(&init), std::move(dims));
  return std::nullopt;
}

static std::optional<Refusal> refuseEqualLoops(linalg::LinalgOp op,
                                               const GroupLoops &loops) {
  if (loops.areDistinct(op))
    return std::nullopt;
  return Refusal(op, "two of its loops map to the same dim factor");
}

static std::optional<Refusal> addOperation(linalg::LinalgOp op,
                                           GroupLoops &loops) {
  loops.addOperation(op);
  // Values that it reads come before its results: an initial value has the
  // shape of a result.
  for (OpOperand &operand : op->getOpOperands()) {
    if (loops.isInner(operand.get()))
      if (std::optional<Refusal> refusal = relateOperand(operand, loops))
        return refusal;
    if (operand.get().getDefiningOp<tensor::EmptyOp>() &&
        op.payloadUsesValueFromOperand(&operand))
      return Refusal(op, "it reads uninitialized elements of 'tensor.empty'");
  }
  if (std::optional<Refusal> refusal = relateElementReads(op, loops))
    return refusal;
  if (std::optional<Refusal> refusal = refuseEqualLoops(op, loops))
    return refusal;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (std::optional<Refusal> refusal = addResult(init, loops))
      return refusal;
  return std::nullopt;
}

/// The loops by which two operations read the same tensor; nothing if they read
/// it by different dims.
static std::optional<SmallVector<EqualFactors>>
pairLoops(OpOperand &lhs, OpOperand &rhs, const GroupLoops &loops) {
  auto left = cast<linalg::LinalgOp>(lhs.getOwner());
  auto right = cast<linalg::LinalgOp>(rhs.getOwner());
  SmallVector<EqualFactors> pairs;
  for (auto [one, other] :
       llvm::zip(left.getMatchingIndexingMap(&lhs).getResults(),
                 right.getMatchingIndexingMap(&rhs).getResults())) {
    auto first = dyn_cast<AffineDimExpr>(one);
    auto second = dyn_cast<AffineDimExpr>(other);
    if (!first != !second)
      return std::nullopt;
    if (first)
      pairs.push_back({loops.flattenLoop(left, first.getPosition()),
                       loops.flattenLoop(right, second.getPosition())});
  }
  return pairs;
}

/// Aligns operations that read the same input.
static void alignReaders(const GroupMembers &members, GroupLoops &loops) {
  llvm::MapVector<Value, SmallVector<OpOperand *>> readers;
  for (linalg::LinalgOp op : members.operations)
    for (OpOperand *input : op.getDpsInputOperands())
      if (!loops.isInner(input->get()) &&
          isa<ShapedType>(input->get().getType()) &&
          op.getMatchingIndexingMap(input).isProjectedPermutation(
              /*allowZeroInResults=*/true))
        readers[input->get()].push_back(input);
  for (auto &[value, operands] : readers)
    for (OpOperand *other : ArrayRef(operands).drop_front())
      if (auto pairs = pairLoops(*operands.front(), *other, loops))
        loops.tryUnify(*pairs, members.operations);
}

PlanResult<GroupLoops> stof::relateLoops(const GroupMembers &members) {
  GroupLoops loops;
  for (Operation *op : members.all) {
    std::optional<Refusal> refusal;
    if (!isReshape(op))
      refusal = addOperation(cast<linalg::LinalgOp>(op), loops);
    else if (loops.isInner(op->getOperand(0)))
      refusal = addReshape(op, loops);
    if (refusal)
      return *refusal;
  }
  alignReaders(members, loops);
  for (linalg::LinalgOp op : members.operations)
    if (std::optional<Refusal> refusal = refuseEqualLoops(op, loops))
      return *refusal;
  return loops;
}

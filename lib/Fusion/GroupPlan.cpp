//===----------------------------------------------------------------------===//
// Derivation of the iteration space of a group.
//
//   1. Each loop gets a dim factor, each value of the group those of its
//      elements.
//   2. The loops of a reader are unified with those of the value that it reads.
//   3. Operations that read the same input are aligned by it, if their loops
//      stay distinct.
//   4. The template follows from the roles; each operation and each result has
//      to cover as much of the iteration space as the template requires.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetOperations.h"

using namespace mlir;
using namespace stof;

using FactorSet = llvm::SmallDenseSet<unsigned, 8>;

/// The first element type of `op` that no kernel supports; null if none.
static Type findUnknownElement(Operation *op) {
  constexpr unsigned mostBits = 64;
  Type unknown;
  auto visit = [&](TypeRange types) {
    for (Type type : types) {
      Type element = getElementTypeOrSelf(type);
      bool isKnown =
          element.isIndex() || (element.isIntOrFloat() &&
                                element.getIntOrFloatBitWidth() <= mostBits);
      if (!isKnown && !unknown)
        unknown = element;
    }
  };
  op->walk([&](Operation *inner) {
    visit(inner->getOperandTypes());
    visit(inner->getResultTypes());
  });
  return unknown;
}

static FactorSet makeSet(ArrayRef<unsigned> dimFactors) {
  return FactorSet(dimFactors.begin(), dimFactors.end());
}

GroupPlan::GroupPlan(ArrayRef<Operation *> members) {
  if (!collect(members) || kind == GroupTemplate::Attention)
    return;
  connect();
  (void)(chooseTemplate() && checkElements() && checkDomain() && chooseAxes());
}

bool GroupPlan::refuse(Operation *op, const Twine &why) {
  culprit = op;
  reason = why.str();
  return false;
}

bool GroupPlan::collect(ArrayRef<Operation *> members) {
  llvm::SmallPtrSet<Operation *, 16> set(members.begin(), members.end());
  for (Operation *op : members) {
    if (isReshape(op)) {
      if (computed.contains(op->getOperand(0)) && !addReshape(op))
        return false;
      continue;
    }
    if (!isGroupable(op))
      continue;
    if (isa<AttentionOp>(op)) {
      kind = GroupTemplate::Attention;
      for (Operation *other : members)
        if (other != op && isGroupable(other))
          return refuse(op, "attention has a kernel of its own");
      return true;
    }
    auto linalgOp = cast<linalg::LinalgOp>(op);
    if (Type unknown = findUnknownElement(op))
      return refuse(op, "unsupported element type " + debugString(unknown));
    operations.push_back(linalgOp);
    if (!addLoops(linalgOp))
      return false;
  }
  if (operations.empty())
    return refuse(members.empty() ? nullptr : members.front(),
                  "it contains no computation");
  for (linalg::LinalgOp op : operations)
    for (OpResult result : op->getResults()) {
      SmallVector<Value> shown{result};
      bool isUsed = false;
      while (!shown.empty() && !isUsed)
        for (Operation *user : shown.pop_back_val().getUsers()) {
          user = op->getBlock()->findAncestorOpInBlock(*user);
          isUsed |= !user || !set.contains(user);
          if (user && isReshape(user) && set.contains(user))
            shown.push_back(user->getResult(0));
        }
      if (isUsed)
        results.push_back(result);
    }
  if (results.empty())
    return refuse(operations.back(), "its results are unused");
  return true;
}

/// The source of the extent of a dim of an initial value.
static FactorExtent getExtentOfInit(Value init, int64_t dim) {
  while (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.output();
  FactorExtent extent;
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty) {
    extent.tensor = init;
    extent.dim = dim;
  } else if (empty.getType().isDynamicDim(dim)) {
    extent.index = empty.getDynamicSize(dim);
  }
  return extent;
}

bool GroupPlan::addLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> &own = loops[op];
  for (int64_t size : op.getStaticLoopRanges())
    own.push_back(table.add(FactorExtent::ofSize(size)));
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()) || isInner(operand.get()))
      continue;
    bool init = op.isDpsInit(&operand);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || table.getExtent(own[loop.getPosition()]).isStatic())
        continue;
      FactorExtent extent;
      extent.tensor = operand.get();
      extent.dim = dim;
      if (init || operand.get().getDefiningOp<tensor::EmptyOp>())
        extent = getExtentOfInit(operand.get(), dim);
      table.learn(own[loop.getPosition()], extent);
    }
  }
  // Values that it reads come before its results: an initial value has the
  // shape of a result.
  for (OpOperand &operand : op->getOpOperands()) {
    if (isInner(operand.get()) && !relate(op, operand))
      return false;
    if (operand.get().getDefiningOp<tensor::EmptyOp>() &&
        op.payloadUsesValueFromOperand(&operand))
      return refuse(op, "it reads uninitialized elements of 'tensor.empty'");
  }
  if (!relateElements(op))
    return false;
  if (!isInjective(op, table))
    return refuse(op, "two of its loops map to the same dim factor");

  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    auto type = cast<ShapedType>(init.get().getType());
    SmallVector<DimFactors> &dims = computed[op.getTiedOpResult(&init)];
    llvm::SmallBitVector found(op.getNumLoops());
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      dims.emplace_back();
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        dims.back().push_back(own[loop.getPosition()]);
        found.set(loop.getPosition());
      } else if (!isa<AffineConstantExpr>(expr) || type.getDimSize(dim) != 1) {
        std::string text;
        llvm::raw_string_ostream(text) << map;
        return refuse(op, "expects its result to be indexed by its loops, but "
                          "got affine_map<" +
                              text + ">");
      }
    }
    for (auto [loop, iterator] : llvm::enumerate(iterators))
      if (iterator == utils::IteratorType::parallel && !found.test(loop))
        return refuse(op, "its result does not depend on parallel loop " +
                              Twine(loop));
  }
  return true;
}

bool GroupPlan::addReshape(Operation *op) {
  SmallVector<DimFactors> from = computed[op->getOperand(0)];
  SmallVector<DimFactors> to;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  constexpr StringLiteral unclear =
      "its source and result dims cannot be matched";
  // Appends dims of these sizes, the factors of `whole`.
  auto divide = [&](const DimFactors &whole, ArrayRef<OpFoldResult> sizes) {
    DimFactors parts;
    for (OpFoldResult size : sizes) {
      FactorExtent extent;
      if (std::optional<int64_t> known = getConstantIntValue(size))
        extent.size = *known;
      else
        extent.index = cast<Value>(size);
      parts.push_back(table.add(extent));
      to.push_back({parts.back()});
    }
    return table.unify(whole, parts);
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (const ReassociationIndices &dims :
         collapse.getReassociationIndices()) {
      to.emplace_back();
      for (int64_t dim : dims)
        llvm::append_range(to.back(), from[dim]);
    }
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    for (auto [source, dims] :
         llvm::enumerate(expand.getReassociationIndices()))
      if (!divide(from[source],
                  ArrayRef(sizes).slice(dims.front(), dims.size())))
        return refuse(op, unclear);
  } else if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    DimFactors all;
    for (const DimFactors &dim : from)
      llvm::append_range(all, dim);
    auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(shape.getElements()))
      sizes.push_back(type.isDynamicDim(dim)
                          ? OpFoldResult(size)
                          : Builder(op).getIndexAttr(type.getDimSize(dim)));
    if (!divide(all, sizes))
      return refuse(op, unclear);
  } else {
    to = from;
  }
  computed[op->getResult(0)] = to;
  return true;
}

bool GroupPlan::relate(linalg::LinalgOp op, OpOperand &operand) {
  const SmallVector<DimFactors> &dims = computed[operand.get()];
  AffineMap map = op.getMatchingIndexingMap(&operand);
  std::string producer = describeOperation(getOrigin(operand.get()).getOwner());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    bool runsInside = loop && !getLoopDimFactors(op, loop.getPosition());
    if (runsInside ||
        (!loop &&
         (!isa<AffineConstantExpr>(expr) ||
          cast<ShapedType>(operand.get().getType()).getDimSize(dim) != 1)))
      return refuse(op, "it reads the result of " + producer +
                            " at other indices than its own");
    if (loop && !table.unify(dims[dim], loops[op][loop.getPosition()]))
      return refuse(op, "its iteration space cannot be matched with that of " +
                            producer);
  }
  return true;
}

bool GroupPlan::isInjective(linalg::LinalgOp op,
                            const IterationSpace &dimFactors) const {
  FactorSet seen;
  for (unsigned loop : loops.lookup(op))
    for (unsigned dimFactor : dimFactors.flatten(loop))
      if (!seen.insert(dimFactor).second)
        return false;
  return true;
}

void GroupPlan::connect() {
  llvm::MapVector<Value, SmallVector<OpOperand *>> readers;
  for (linalg::LinalgOp op : operations)
    for (OpOperand *input : op.getDpsInputOperands())
      if (!isInner(input->get()) && isa<ShapedType>(input->get().getType()) &&
          op.getMatchingIndexingMap(input).isProjectedPermutation(
              /*allowZeroInResults=*/true))
        readers[input->get()].push_back(input);
  for (auto &[value, operands] : readers)
    for (OpOperand *other : ArrayRef(operands).drop_front()) {
      auto lhs = cast<linalg::LinalgOp>(operands.front()->getOwner());
      auto rhs = cast<linalg::LinalgOp>(other->getOwner());
      IterationSpace attempt = table;
      bool agree = true;
      for (auto [left, right] :
           llvm::zip(lhs.getMatchingIndexingMap(operands.front()).getResults(),
                     rhs.getMatchingIndexingMap(other).getResults())) {
        auto one = dyn_cast<AffineDimExpr>(left);
        auto two = dyn_cast<AffineDimExpr>(right);
        agree &= one && two ? attempt.unify(loops[lhs][one.getPosition()],
                                            loops[rhs][two.getPosition()])
                            : !one && !two;
        if (!agree)
          break;
      }
      if (agree && llvm::all_of(operations, [&](linalg::LinalgOp op) {
            return isInjective(op, attempt);
          }))
        table = attempt;
    }
}

bool GroupPlan::chooseTemplate() {
  for (linalg::LinalgOp op : operations) {
    if (!isInjective(op, table))
      return refuse(op, "two of its loops map to the same dim factor");
    if (getContractionLoops(op))
      contractions.push_back(op);
  }
  auto isReduction = [&](linalg::LinalgOp op) {
    return getRole(op) == Role::Reduction;
  };
  if (!contractions.empty())
    kind = GroupTemplate::Contraction;
  else if (llvm::any_of(operations, isReduction))
    kind = GroupTemplate::Rows;
  return checkContractions();
}

bool GroupPlan::checkDomain() {
  FactorSet all, together;
  for (linalg::LinalgOp op : operations) {
    bool isReduction = getRole(op) == Role::Reduction;
    if (isInPrologue(op))
      continue;
    if (contractions.empty() || getRole(op) == Role::Contraction)
      llvm::set_union(
          all, makeSet(getAllDimFactors(op, /*parallel=*/true, isReduction)));
    if (!isReduction)
      continue;
    DimFactors own = getAllDimFactors(op, /*parallel=*/false, /*reduced=*/true);
    if (!together.empty() && together != makeSet(own))
      return refuse(op, "it reduces other dims than the preceding reduction");
    together = makeSet(own);
    combined = own;
  }
  FactorSet outer = all;
  llvm::set_subtract(outer, together);
  bool hasRows = kind == GroupTemplate::Rows || !combined.empty();
  for (linalg::LinalgOp op : operations) {
    if (isInPrologue(op))
      continue;
    FactorSet own = makeSet(getAllDimFactors(op, /*parallel=*/true,
                                             getRole(op) == Role::Reduction));
    if (!llvm::set_is_subset(own, all))
      return refuse(op, "its iteration space is not contained in that of " +
                            describeOperation(getMainOperation()));
    bool covers = own == all || (hasRows && own == outer);
    if (!covers && getRole(op) == Role::Map && op.getNumReductionLoops())
      return refuse(op, "its reduction would be repeated");
  }
  for (OpResult result : results) {
    FactorSet own = makeSet(getResultDimFactors(result));
    if (own != all && (!hasRows || own != outer))
      return refuse(
          result.getOwner(),
          "its result does not cover the iteration space of the group");
  }
  for (linalg::LinalgOp op : operations)
    for (unsigned dimFactor :
         getAllDimFactors(op, true, getRole(op) == Role::Reduction))
      if (!llvm::is_contained(domain, dimFactor) && all.contains(dimFactor))
        domain.push_back(dimFactor);
  return true;
}

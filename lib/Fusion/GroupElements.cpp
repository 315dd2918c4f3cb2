//===----------------------------------------------------------------------===//
// Reads of a value of the group at another column than the reader's own, e.g.
// the rotation of half of a head:
//
//     y[s, d] = x[s, d] * cos[s, d] + (d < 32 ? -x[s, d + 32] : x[s, d - 32])
//
// All other indices are the reader's own coordinates. The moved ones stay
// within dim factors of the columns, which a tile then must not split.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

DimFactors GroupPlan::getReadDimFactors(const ElementRead &read,
                                        unsigned dim) const {
  return table.flatten(computed.at(read.getTensor())[dim]);
}

/// The loops of `op` that `index`, a value in its body, depends on; sets
/// `hasElements` if it depends on elements of tensors.
static SmallVector<unsigned> collectLoops(linalg::LinalgOp op, Value index,
                                          bool &hasElements) {
  llvm::SmallSetVector<Value, 8> worklist;
  llvm::SmallBitVector found(op.getNumLoops());
  worklist.insert(index);
  for (unsigned next = 0; next < worklist.size(); ++next) {
    Value value = worklist[next];
    Operation *source = value.getDefiningOp();
    if (!op->getRegion(0).isAncestor(value.getParentRegion()))
      continue;
    if (!source) {
      // An element varies with the loops that index its operand.
      hasElements = true;
      auto argument = cast<BlockArgument>(value);
      if (argument.getOwner() == op.getBlock())
        for (AffineExpr expr :
             op.getMatchingIndexingMap(op.getMatchingOpOperand(argument))
                 .getResults())
          if (auto loop = dyn_cast<AffineDimExpr>(expr))
            found.set(loop.getPosition());
      continue;
    }
    if (auto own = dyn_cast<linalg::IndexOp>(source))
      found.set(own.getDim());
    hasElements |= isa<tensor::ExtractOp>(source);
    source->walk(
        [&](Operation *inner) { worklist.insert_range(inner->getOperands()); });
  }
  return llvm::map_to_vector(found.set_bits(),
                             [](unsigned loop) { return loop; });
}

bool GroupPlan::relateElements(linalg::LinalgOp op) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  auto isRead = [&](Value value) {
    return captured.contains(value) && isInner(value);
  };
  SmallVector<Operation *> users;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *user) {
      if (llvm::any_of(user->getOperands(), isRead))
        users.push_back(user);
    });
  for (Operation *user : users)
    if (!relateElement(op, user))
      return false;
  return true;
}

/// The parallel loops of `op` that are no index of `extract`.
static SmallVector<unsigned> collectOtherLoops(linalg::LinalgOp op,
                                               tensor::ExtractOp extract) {
  llvm::SmallBitVector others(op.getNumLoops());
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    others[loop] = kind == utils::IteratorType::parallel;
  for (Value index : extract.getIndices())
    if (auto own = index.getDefiningOp<linalg::IndexOp>())
      others.reset(own.getDim());
  return llvm::map_to_vector(others.set_bits(),
                             [](unsigned loop) { return loop; });
}

/// Whether `loops` of `op` are known to cover a dim together. An indexing map
/// implies that they do, an index does not: a slice reads a range.
static bool countWhole(linalg::LinalgOp op, ArrayRef<unsigned> loops,
                       TypedValue<RankedTensorType> tensor, int64_t dim) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> counting(llvm::make_filter_range(
      loops, [&](unsigned loop) { return ranges[loop] != 1; }));
  int64_t size = tensor.getType().getDimSize(dim), count = 1;
  auto isDynamic = [&](unsigned loop) {
    return ShapedType::isDynamic(ranges[loop]);
  };
  if (!ShapedType::isDynamic(size)) {
    for (unsigned loop : counting)
      count *= isDynamic(loop) ? 0 : ranges[loop];
    return count == size;
  }
  if (counting.size() != 1)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<unsigned> position = map.getResultPosition(
        getAffineDimExpr(counting.front(), op.getContext()));
    if (!position)
      continue;
    FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
        {operand.get(), static_cast<int64_t>(*position)}, {tensor, dim});
    if (succeeded(equal) && *equal)
      return true;
  }
  return false;
}

bool GroupPlan::relateElement(linalg::LinalgOp op, Operation *user) {
  auto extract = dyn_cast<tensor::ExtractOp>(user);
  if (!extract)
    return refuse(
        op,
        "expects values of the group to be read by 'tensor.extract', but got " +
            describeOperation(user));
  ElementRead read{op, extract, {}};
  Value tensor = read.getTensor();
  std::string producer = describeOperation(getOrigin(tensor).getOwner());
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    if (extract.getTensor().getType().getDimSize(dim) == 1)
      continue;
    DimFactors dimFactors = computed[tensor][dim];
    auto own = index.getDefiningOp<linalg::IndexOp>();
    if (own && op.getIteratorTypesArray()[own.getDim()] ==
                   utils::IteratorType::parallel) {
      if (!countWhole(op, own.getDim(), extract.getTensor(), dim) ||
          !table.unify(dimFactors, loops[op][own.getDim()]))
        return refuse(op,
                      "its iteration space cannot be matched with that of " +
                          producer);
      continue;
    }
    read.moved.push_back(dim);
    // A computed index usually moves within the dims of the loops that it
    // depends on; a constant one (the real part of each pair) within those that
    // no other index uses.
    DimFactors along;
    SmallVector<unsigned> moving = collectLoops(op, index, read.isFound);
    if (moving.empty() && !read.isFound)
      moving = collectOtherLoops(op, extract);
    for (unsigned loop : moving)
      along.push_back(loops[op][loop]);
    IterationSpace attempt = table;
    if (countWhole(op, moving, extract.getTensor(), dim) &&
        attempt.unify(dimFactors, along) && isInjective(op, attempt))
      table = attempt;
  }
  reads.push_back(read);
  return true;
}

bool GroupPlan::checkElements() {
  DimFactors ofColumns, together;
  if (!contractions.empty())
    ofColumns =
        getDimFactors(contractions.front(),
                      getContractionLoops(contractions.front())->columns);
  auto hold = [&](unsigned dimFactor) {
    if (!llvm::is_contained(unsplitColumns, dimFactor))
      unsplitColumns.push_back(dimFactor);
    return getExtent(dimFactor).isStatic();
  };
  for (linalg::LinalgOp op : operations) {
    if (contractions.empty() || getRole(op) != Role::Reduction)
      continue;
    together = getAllDimFactors(op, /*parallel=*/false, /*reduced=*/true);
    std::string producer = describeOperation(contractions.front());
    auto isColumn = [&](unsigned dimFactor) {
      return llvm::is_contained(ofColumns, dimFactor);
    };
    if (together.empty() || !llvm::all_of(together, isColumn))
      return refuse(op,
                    "it reduces dims other than the columns of " + producer);
    if (!llvm::all_of(together, hold))
      return refuse(op,
                    "it reduces a dynamic number of columns of " + producer);
  }
  for (const ElementRead &read : reads) {
    linalg::LinalgOp op = read.reader;
    std::string producer =
        describeOperation(getOrigin(read.getTensor()).getOwner());
    DimFactors own = getAllDimFactors(op, /*parallel=*/true, /*reduced=*/true);
    Type element = read.extract->getResult(0).getType();
    bool isShared = element.isIntOrFloat() && !element.isInteger(1);
    if (contractions.empty() || !isShared)
      return refuse(op, "it reads the result of " + producer +
                            " at computed indices");
    for (unsigned dim : read.moved)
      for (unsigned dimFactor : getReadDimFactors(read, dim)) {
        if (!llvm::is_contained(ofColumns, dimFactor) ||
            !llvm::is_contained(own, dimFactor))
          return refuse(op, "it reads the result of " + producer +
                                " at computed indices");
        if (!together.empty() && !llvm::is_contained(together, dimFactor))
          return refuse(op, "it reads columns of " + producer +
                                " other than the reduced ones");
        if (!hold(dimFactor))
          return refuse(op,
                        "it reads a dynamic number of columns of " + producer);
      }
  }
  return true;
}

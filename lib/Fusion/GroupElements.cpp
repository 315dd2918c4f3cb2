//===----------------------------------------------------------------------===//
// Operations that read what their group computes at another column than their
// own, as the rotation of half of a head does:
//
//     y[s, d] = x[s, d] * cos[s, d] + (d < 32 ? -x[s, d + 32] : x[s, d - 32])
//
// All indices but some are the operation's own coordinates. Those that are not
// stay within digits of the columns, which a tile then holds whole.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

Digits GroupPlan::getReadDigits(const ElementRead &read, unsigned dim) const {
  return table.flatten(computed.at(read.getTensor())[dim]);
}

/// The loops of `op` that `index`, a number in its body, depends on; says
/// whether it is computed from elements.
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
      // An element: it changes as its operand does.
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

/// The parallel loops of `op` that no index of `extract` is.
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

/// Whether `loops` of `op` are known to count, together, all of a dimension. An
/// indexing map says that they do, an index does not: a slice reads a part.
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
    return refuse(op, "it asks " + describeOperation(user) +
                          " about what the group computes");
  ElementRead read{op, extract, {}};
  Value tensor = read.getTensor();
  std::string producer = describeOperation(getOrigin(tensor).getOwner());
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    if (extract.getTensor().getType().getDimSize(dim) == 1)
      continue;
    Digits digits = computed[tensor][dim];
    auto own = index.getDefiningOp<linalg::IndexOp>();
    if (own && op.getIteratorTypesArray()[own.getDim()] ==
                   utils::IteratorType::parallel) {
      if (!countWhole(op, own.getDim(), extract.getTensor(), dim) ||
          !table.unify(digits, loops[op][own.getDim()]))
        return refuse(op, "its loops and those of " + producer +
                              " cannot be told to be the same");
      continue;
    }
    read.moved.push_back(dim);
    // An index that is computed from loops most often moves along what they
    // count; one that is the same everywhere (the real part of each pair) along
    // what the others leave.
    Digits along;
    SmallVector<unsigned> moving = collectLoops(op, index, read.isFound);
    if (moving.empty() && !read.isFound)
      moving = collectOtherLoops(op, extract);
    for (unsigned loop : moving)
      along.push_back(loops[op][loop]);
    DigitTable attempt = table;
    if (countWhole(op, moving, extract.getTensor(), dim) &&
        attempt.unify(digits, along) && isInjective(op, attempt))
      table = attempt;
  }
  reads.push_back(read);
  return true;
}

bool GroupPlan::checkElements() {
  Digits ofColumns, together;
  if (!products.empty())
    ofColumns = getDigits(products.front(),
                          getContractionLoops(products.front())->columns);
  auto hold = [&](unsigned digit) {
    if (!llvm::is_contained(held, digit))
      held.push_back(digit);
    return getExtent(digit).isStatic();
  };
  for (linalg::LinalgOp op : operations) {
    if (products.empty() || getRole(op) != Role::Reduction)
      continue;
    together = getAllDigits(op, /*parallel=*/false, /*reduced=*/true);
    std::string producer = describeOperation(products.front());
    auto isColumn = [&](unsigned digit) {
      return llvm::is_contained(ofColumns, digit);
    };
    if (together.empty() || !llvm::all_of(together, isColumn))
      return refuse(op, "it combines what the tiles of " + producer +
                            " hold apart");
    if (!llvm::all_of(together, hold))
      return refuse(op, "how many columns of " + producer +
                            " it combines is not known");
  }
  for (const ElementRead &read : reads) {
    linalg::LinalgOp op = read.reader;
    std::string producer =
        describeOperation(getOrigin(read.getTensor()).getOwner());
    Digits own = getAllDigits(op, /*parallel=*/true, /*reduced=*/true);
    Type element = read.extract->getResult(0).getType();
    bool isShared = element.isIntOrFloat() && !element.isInteger(1);
    if (products.empty() || !isShared)
      return refuse(op, "it reads what " + producer +
                            " computes at places that it computes");
    for (unsigned dim : read.moved)
      for (unsigned digit : getReadDigits(read, dim)) {
        if (!llvm::is_contained(ofColumns, digit) ||
            !llvm::is_contained(own, digit))
          return refuse(op, "it reads what " + producer +
                                " computes at places that it computes");
        if (!together.empty() && !llvm::is_contained(together, digit))
          return refuse(op, "it reads columns of " + producer +
                                " beyond those that are combined");
        if (!hold(digit))
          return refuse(op, "how many columns of " + producer +
                                " it reads is not known");
      }
  }
  return true;
}

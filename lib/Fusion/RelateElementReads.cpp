//===----------------------------------------------------------------------===//
// Relation of the indices of `tensor.extract` to the loops of its reader.
//===----------------------------------------------------------------------===//

#include "RelateElementReads.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

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

/// The loop whose coordinate `index` is, if it is a parallel one.
static std::optional<unsigned> getOwnLoop(linalg::LinalgOp op, Value index) {
  auto own = index.getDefiningOp<linalg::IndexOp>();
  if (!own ||
      op.getIteratorTypesArray()[own.getDim()] != utils::IteratorType::parallel)
    return std::nullopt;
  return own.getDim();
}

/// Adds the read of a value of the group by `user`, in the body of `op`.
static std::optional<Refusal>
relateElementRead(linalg::LinalgOp op, Operation *user, GroupLoops &loops) {
  auto extract = dyn_cast<tensor::ExtractOp>(user);
  if (!extract)
    return Refusal(op, "expects values of the group to be read by "
                       "'tensor.extract', but got " +
                           describeOperation(user));
  ElementRead read{op, extract, {}};
  Value tensor = read.getTensor();
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    if (extract.getTensor().getType().getDimSize(dim) == 1)
      continue;
    DimFactors dimFactors = loops.getReadDimFactors(read, dim);
    if (std::optional<unsigned> own = getOwnLoop(op, index)) {
      if (!countWhole(op, *own, extract.getTensor(), dim) ||
          !loops.unify(dimFactors, loops.flattenLoop(op, *own)))
        return Refusal(op, "its iteration space cannot be matched with that "
                           "of " +
                               describeOperation(getOrigin(tensor).getOwner()));
      continue;
    }
    read.moved.push_back(dim);
    // A computed index usually moves within the dims of the loops that it
    // depends on; a constant one (the real part of each pair) within those that
    // no other index uses.
    SmallVector<unsigned> moving = collectLoops(op, index, read.isFound);
    if (moving.empty() && !read.isFound)
      moving = collectOtherLoops(op, extract);
    if (countWhole(op, moving, extract.getTensor(), dim))
      loops.tryUnify({{dimFactors, loops.getDimFactors(op, moving)}}, op);
  }
  loops.addElementRead(read);
  return std::nullopt;
}

std::optional<Refusal> stof::relateElementReads(linalg::LinalgOp op,
                                                GroupLoops &loops) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  auto isRead = [&](Value value) {
    return captured.contains(value) && loops.isInner(value);
  };
  SmallVector<Operation *> users;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *user) {
      if (llvm::any_of(user->getOperands(), isRead))
        users.push_back(user);
    });
  for (Operation *user : users)
    if (std::optional<Refusal> refusal = relateElementRead(op, user, loops))
      return refusal;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Folds a weight that is broadcast over the batch into one contraction of the
// rows of all batches.
//===----------------------------------------------------------------------===//

#include "Contractions.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace {

/// The value that `value` broadcasts or permutes, and the map from its elements
/// to those; null if `value` computes anything.
std::pair<Value, AffineMap> findRepeated(Value value) {
  auto copy = value.getDefiningOp<linalg::GenericOp>();
  if (!copy || !copy.hasPureTensorSemantics() || copy.getNumDpsInputs() != 1 ||
      copy->getNumResults() != 1 || !copy.isAllParallelLoops())
    return {};
  OpOperand *input = copy.getDpsInputOperand(0);
  AffineMap from = copy.getMatchingIndexingMap(input);
  AffineMap to = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  if (copy.getBlock()->getTerminator()->getOperand(0) !=
          copy.getMatchingBlockArgument(input) ||
      !from.isProjectedPermutation() || !to.isPermutation())
    return {};
  return {input->get(), from.compose(inversePermutation(to))};
}

bool usesLoop(AffineMap map, unsigned loop) {
  return map.isFunctionOfDim(loop);
}

/// contract(x, copy(y)) -> contract(x, y). The broadcast loops of y have to
/// index x and the result.
struct FoldBroadcastIntoContraction
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!stof::isNamedContraction(op))
      return rewriter.notifyMatchFailure(op, "is not a named contraction");
    SmallVector<Value> inputs = op.getDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (unsigned side : {0u, 1u}) {
      auto [repeated, toRepeated] = findRepeated(inputs[side]);
      if (!repeated)
        continue;
      AffineMap map = toRepeated.compose(maps[side]);
      AffineMap other = maps[1 - side], result = maps[2];
      bool isContraction =
          llvm::all_of(llvm::seq(op.getNumLoops()), [&](unsigned loop) {
            return !usesLoop(maps[side], loop) || usesLoop(map, loop) ||
                   (usesLoop(other, loop) && usesLoop(result, loop));
          });
      if (!isContraction)
        continue;
      inputs[side] = repeated;
      maps[side] = map;
      return stof::contractInstead(rewriter, op, inputs, maps);
    }
    return rewriter.notifyMatchFailure(op, "no operand is a broadcast");
  }
};

/// Whether `value` is stored as its shape says: slices are read in place, but
/// cannot be collapsed in general.
bool isWhole(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || !isa<tensor::TensorDialect>(op->getDialect()) ||
         isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::EmptyOp>(
             op);
}

/// contract(x, y) -> expand(contract(collapse(x), y)): two loops that are
/// adjacent in one operand and the result, and absent from the other operand,
/// are one loop. Kernels tile the last loop of the rows.
struct MergeRows : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::ContractOp>(op))
      return rewriter.notifyMatchFailure(op, "is not a linalg.contract");
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "writes to memory");
    if (op->getParentOfType<stof::GroupOp>())
      return rewriter.notifyMatchFailure(op, "groups cannot yield reshapes");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap result = maps.back();
    for (unsigned dim = 0; dim + 1 < result.getNumResults(); ++dim) {
      unsigned first = result.getDimPosition(dim);
      unsigned second = result.getDimPosition(dim + 1);
      auto hasNeither = [&](AffineMap map) {
        return !usesLoop(map, first) && !usesLoop(map, second);
      };
      auto hasPair = [&](unsigned side) {
        return findPair(maps[side], first, second) &&
               isWhole(op->getOperand(side));
      };
      if ((hasNeither(maps[0]) && hasPair(1)) ||
          (hasPair(0) && hasNeither(maps[1]))) {
        merge(rewriter, op, first, second);
        return success();
      }
    }
    return rewriter.notifyMatchFailure(op, "no two row loops are adjacent");
  }

private:
  /// The position in `map` of loop `first`, directly followed by `second`.
  static std::optional<unsigned> findPair(AffineMap map, unsigned first,
                                          unsigned second) {
    for (unsigned dim = 0; dim + 1 < map.getNumResults(); ++dim)
      if (map.getDimPosition(dim) == first &&
          map.getDimPosition(dim + 1) == second)
        return dim;
    return std::nullopt;
  }

  static void merge(PatternRewriter &rewriter, linalg::LinalgOp op,
                    unsigned first, unsigned second) {
    Location loc = op.getLoc();
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    SmallVector<ReassociationIndices> groups;
    SmallVector<OpFoldResult> sizes;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      Value value = operand.get();
      if (std::optional<unsigned> pair = findPair(map, first, second)) {
        groups.clear();
        for (int64_t dim = 0; dim < map.getNumResults(); ++dim)
          if (dim == *pair + 1)
            groups.back().push_back(dim);
          else
            groups.push_back({dim});
        sizes = tensor::getMixedSizes(rewriter, loc, value);
        value = collapse(rewriter, loc, value, groups);
        map = map.dropResult(*pair + 1);
      }
      operands.push_back(value);
      maps.push_back(map);
    }
    llvm::SmallBitVector gone(op.getNumLoops());
    gone.set(second);
    for (AffineMap &map : maps)
      map = projectDims(map, gone, /*compressDims=*/true);
    Value init = operands.pop_back_val();
    Value merged = stof::contractAs(rewriter, op, operands, init, maps);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op->getResult(0).getType(), merged, groups, sizes);
  }

  static Value collapse(PatternRewriter &rewriter, Location loc, Value value,
                        ArrayRef<ReassociationIndices> groups) {
    auto fill = value.getDefiningOp<linalg::FillOp>();
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, loc, fill ? fill.output() : value, groups);
    if (!fill)
      return collapsed;
    return linalg::FillOp::create(rewriter, loc, fill.value(), collapsed)
        .getResult(0);
  }
};

} // namespace

void stof::populateFoldBroadcastPatterns(RewritePatternSet &patterns) {
  // Precedes patterns that split loops to fold reshapes.
  patterns.add<FoldBroadcastIntoContraction, MergeRows>(patterns.getContext(),
                                                        /*benefit=*/2);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                       patterns.getContext());
}

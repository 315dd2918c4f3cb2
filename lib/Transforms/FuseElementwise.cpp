//===----------------------------------------------------------------------===//
// Fuses chains of elementwise operations, recomputes cheap elements at
// extracts, and folds transposes and extensions into contractions. The fusion
// itself is upstream's; this pass decides where it stops.
//===----------------------------------------------------------------------===//

#include "FuseElementwise/Contractions.h"
#include "stof/Fusion/LinalgUtils.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/SmallBitVector.h"

namespace stof {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// The loops of `op` that are dims of an operand that `has` accepts.
static llvm::SmallBitVector findLoops(linalg::LinalgOp op,
                                      function_ref<bool(OpOperand &)> has) {
  llvm::SmallBitVector found(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    if (has(operand))
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          found.set(loop.getPosition());
  return found;
}

/// Whether `operand` alone has the size of a loop of its user, and lacks one of
/// its parallel loops. Fused, its producer would have to stay a result for this
/// size unless an input of it has it, although iterations of the parallel loop
/// would write the same elements.
static bool sizesAnotherLoop(linalg::LinalgOp producer, OpOperand &operand) {
  auto user = cast<linalg::LinalgOp>(operand.getOwner());
  llvm::SmallBitVector own =
      findLoops(user, [&](OpOperand &other) { return &other == &operand; });
  llvm::SmallBitVector others =
      findLoops(user, [&](OpOperand &other) { return &other != &operand; });
  // Inputs without a use do not remain.
  llvm::SmallBitVector inputs = findLoops(producer, [&](OpOperand &input) {
    return producer.isDpsInput(&input) &&
           !producer.getMatchingBlockArgument(&input).use_empty();
  });
  if ((own | others) == others || inputs.all())
    return false;
  return llvm::any_of(llvm::enumerate(user.getIteratorTypesArray()),
                      [&](auto loop) {
                        return linalg::isParallelIterator(loop.value()) &&
                               !own.test(loop.index());
                      });
}

namespace {

/// Whether the producer of `operand` may be fused into its user. A producer
/// that reads its initial value needs its own result.
bool mayFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  auto user = cast<linalg::LinalgOp>(operand->getOwner());
  return producer && producer->hasOneUse() && !stof::isPlainContraction(user) &&
         !sizesAnotherLoop(producer, *operand) &&
         llvm::none_of(producer.getRegionOutputArgs(),
                       [](BlockArgument init) { return !init.use_empty(); });
}

/// A tensor, and the map from the elements of another one to those of it that
/// they are made from; null if there is none.
using Source = std::pair<Value, AffineMap>;

/// Replaces each of `inputs` by the tensor that `find` says it is made from,
/// and its indexing map accordingly. Returns how many were replaced.
size_t replaceInputs(MutableArrayRef<Value> inputs,
                     MutableArrayRef<AffineMap> maps,
                     function_ref<Source(Value)> find) {
  size_t replaced = 0;
  for (auto [input, map] : llvm::zip(inputs, maps)) {
    auto [source, toSource] = find(input);
    if (!source)
      continue;
    input = source;
    map = toSource.compose(map);
    ++replaced;
  }
  return replaced;
}

Source findTransposed(Value value) {
  auto transpose = value.getDefiningOp<linalg::TransposeOp>();
  if (!transpose)
    return {};
  AffineMap permutation = AffineMap::getPermutationMap(
      transpose.getPermutation(), transpose.getContext());
  return {transpose.getInput(), inversePermutation(permutation)};
}

/// contract(transpose(x), y) -> contract(x, y), with permuted indexing map of
/// x.
struct FoldTransposeIntoContraction
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNamedContraction(op))
      return rewriter.notifyMatchFailure(op, "is not a named contraction");
    SmallVector<Value> inputs = op.getDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (replaceInputs(inputs, maps, findTransposed) == 0)
      return rewriter.notifyMatchFailure(op, "no operand is a transpose");
    return contractInstead(rewriter, op, inputs, maps);
  }
};

/// contract(collapse(transpose(x)), y) -> collapse(contract(x, expand(y))): the
/// contraction iterates over the collapsed dims. A kernel tiles the last one of
/// each, which so has to be about as long as a tile.
struct FoldReshapedTranspose : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNamedContraction(op))
      return rewriter.notifyMatchFailure(op, "is not a named contraction");
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto collapse = input->get().getDefiningOp<tensor::CollapseShapeOp>();
      if (!collapse ||
          !collapse.getSrc().getDefiningOp<linalg::TransposeOp>() ||
          !fitsTiles(collapse))
        continue;
      fold(rewriter, op, *input, collapse);
      return success();
    }
    return rewriter.notifyMatchFailure(op,
                                       "no operand is a reshaped transpose");
  }

private:
  /// Whether tiles of 64 or 32 exceed the last dim by at most a quarter.
  static bool fitsTiles(tensor::CollapseShapeOp collapse) {
    constexpr int64_t side = 32, most = 4;
    return llvm::all_of(
        collapse.getReassociationIndices(), [&](ArrayRef<int64_t> dims) {
          int64_t size = collapse.getSrcType().getDimSize(dims.back());
          return dims.size() == 1 || ShapedType::isDynamic(size) ||
                 (size > 0 &&
                  (llvm::alignTo(size, side) - size) * most <= uint64_t(size));
        });
  }

  static void fold(PatternRewriter &rewriter, linalg::LinalgOp op,
                   OpOperand &input, tensor::CollapseShapeOp collapse) {
    Location loc = op.getLoc();
    auto transpose = collapse.getSrc().getDefiningOp<linalg::TransposeOp>();
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    Value source = transpose.getInput();

    // The new loops for each old one, and their sizes if there are several.
    SmallVector<SmallVector<OpFoldResult>> sizes(op.getNumLoops());
    SmallVector<SmallVector<AffineExpr>> loops(op.getNumLoops());
    AffineMap map = op.getMatchingIndexingMap(&input);
    for (auto [expr, dims] :
         llvm::zip(map.getResults(), collapse.getReassociationIndices()))
      for (int64_t dim : dims)
        sizes[cast<AffineDimExpr>(expr).getPosition()].push_back(
            tensor::getMixedSize(rewriter, loc, source, permutation[dim]));
    unsigned count = 0;
    for (auto [parts, size] : llvm::zip(loops, sizes))
      for (unsigned i = 0; i < std::max<size_t>(size.size(), 1); ++i)
        parts.push_back(rewriter.getAffineDimExpr(count++));

    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    SmallVector<ReassociationIndices> resultDims;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap old = op.getMatchingIndexingMap(&operand);
      SmallVector<AffineExpr> exprs;
      SmallVector<ReassociationIndices> groups;
      for (AffineExpr expr : old.getResults()) {
        groups.emplace_back();
        for (AffineExpr part : loops[cast<AffineDimExpr>(expr).getPosition()]) {
          groups.back().push_back(exprs.size());
          exprs.push_back(part);
        }
      }
      operands.push_back(operand.get());
      if (&operand == &input) {
        // Dim i of the transpose is dim permutation[i] of x.
        SmallVector<AffineExpr> moved(exprs.size());
        for (auto [dim, from] : llvm::enumerate(permutation))
          moved[from] = exprs[dim];
        exprs = moved;
        operands.back() = source;
      } else if (exprs.size() > old.getNumResults()) {
        operands.back() =
            expand(rewriter, loc, operand.get(), old, groups, sizes);
      }
      maps.push_back(AffineMap::get(count, 0, exprs, op.getContext()));
      resultDims = groups;
    }
    Value init = operands.pop_back_val();
    Value result = contractAs(rewriter, op, operands, init, maps);
    if (init.getType() != op->getResult(0).getType())
      result = tensor::CollapseShapeOp::create(
          rewriter, loc, op->getResult(0).getType(), result, resultDims);
    rewriter.replaceOp(op, result);
  }

  /// Expands `value`, indexed by the old loops through `map`, for the new
  /// loops.
  static Value expand(PatternRewriter &rewriter, Location loc, Value value,
                      AffineMap map, ArrayRef<ReassociationIndices> groups,
                      ArrayRef<SmallVector<OpFoldResult>> sizes) {
    SmallVector<OpFoldResult> shape;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      ArrayRef<OpFoldResult> parts =
          sizes[cast<AffineDimExpr>(expr).getPosition()];
      if (parts.size() > 1)
        llvm::append_range(shape, parts);
      else
        shape.push_back(tensor::getMixedSize(rewriter, loc, value, dim));
    }
    Type element = getElementTypeOrSelf(value);
    if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
      Value empty = tensor::EmptyOp::create(rewriter, loc, shape, element);
      return linalg::FillOp::create(rewriter, loc, fill.value(), empty)
          .getResult(0);
    }
    auto [known, dynamic] = decomposeMixedValues(shape);
    return tensor::ExpandShapeOp::create(rewriter, loc,
                                         RankedTensorType::get(known, element),
                                         value, groups, shape);
  }
};

/// The source that `value` widens elementwise without loss.
Source findNarrow(Value value) {
  auto widen = value.getDefiningOp<linalg::GenericOp>();
  if (!widen || widen.getNumDpsInputs() != 1 || widen->getNumResults() != 1 ||
      !widen.isAllParallelLoops())
    return {};
  OpOperand *input = widen.getDpsInputOperand(0);
  AffineMap from = widen.getMatchingIndexingMap(input);
  AffineMap to = widen.getMatchingIndexingMap(widen.getDpsInitOperand(0));
  Operation *yield = widen.getBlock()->getTerminator();
  auto extend = yield->getOperand(0).getDefiningOp<arith::ExtFOp>();
  if (!extend || extend.getIn() != widen.getMatchingBlockArgument(input) ||
      !from.isPermutation() || !to.isPermutation())
    return {};
  return {input->get(), from.compose(inversePermutation(to))};
}

/// contract(extend(x), extend(y)) -> contract(x, y): a contraction widens its
/// operands itself.
struct FoldExtensionIntoContraction
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isNamedContraction(op))
      return rewriter.notifyMatchFailure(op, "is not a named contraction");
    SmallVector<Value> inputs = op.getDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (replaceInputs(inputs, maps, findNarrow) < inputs.size())
      return rewriter.notifyMatchFailure(op, "an operand is not extended");
    if (getElementTypeOrSelf(inputs[0]) != getElementTypeOrSelf(inputs[1]))
      return rewriter.notifyMatchFailure(op, "operand element types differ");
    return contractInstead(rewriter, op, inputs, maps);
  }
};

/// extract(elementwise(x)) -> elementwise(extract(x)) inside another operation,
/// if the extract is the only use and elements are cheap: concatenated tensors
/// are not materialized one by one. Slices are read in place regardless of the
/// number of uses.
struct ComputeExtractedElement : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getTensor().getDefiningOp<linalg::GenericOp>();
    if (!producer || producer->getNumResults() != 1 ||
        !(isSlice(producer) ? isOnlyExtracted(producer)
                            : producer->hasOneUse()) ||
        !producer.isAllParallelLoops() ||
        !op->getParentOfType<linalg::GenericOp>())
      return rewriter.notifyMatchFailure(
          op, "producer is no recomputable elementwise operation");
    OpOperand *init = producer.getDpsInitOperand(0);
    AffineMap resultMap = producer.getMatchingIndexingMap(init);
    if (!resultMap.isPermutation() ||
        producer.payloadUsesValueFromOperand(init) || !isLittleWork(producer))
      return rewriter.notifyMatchFailure(op,
                                         "elements are not cheap to recompute");

    Location loc = op.getLoc();
    // The iteration that computes the element.
    SmallVector<Value> point(producer.getNumLoops());
    for (auto [index, expr] :
         llvm::zip(op.getIndices(), resultMap.getResults()))
      point[cast<AffineDimExpr>(expr).getPosition()] = index;
    IRMapping values;
    for (OpOperand *input : producer.getDpsInputOperands()) {
      Value element = input->get();
      if (isa<ShapedType>(element.getType())) {
        SmallVector<Value> indices;
        AffineMap map = producer.getMatchingIndexingMap(input);
        for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
          indices.push_back(affine::AffineApplyOp::create(
              rewriter, loc, map.getSubMap(dim), point));
        element = tensor::ExtractOp::create(rewriter, loc, element, indices);
      }
      values.map(producer.getMatchingBlockArgument(input), element);
    }
    Block *body = producer.getBlock();
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        values.map(index.getResult(), point[index.getDim()]);
      else
        rewriter.clone(inner, values);
    }
    rewriter.replaceOp(
        op, values.lookupOrDefault(body->getTerminator()->getOperand(0)));
    return success();
  }

private:
  /// Whether its elements are those of another tensor at other indices.
  static bool isSlice(linalg::GenericOp producer) {
    Block *body = producer.getBlock();
    return body->getTerminator()
               ->getOperand(0)
               .getDefiningOp<tensor::ExtractOp>() &&
           llvm::all_of(body->without_terminator(), [](Operation &inner) {
             return isa<linalg::IndexOp, affine::AffineApplyOp,
                        arith::ConstantOp, tensor::ExtractOp>(inner);
           });
  }

  /// Whether extracts in other generic operations are its only users.
  static bool isOnlyExtracted(linalg::GenericOp producer) {
    return llvm::all_of(producer->getUsers(), [](Operation *user) {
      return isa<tensor::ExtractOp>(user) &&
             user->getParentOfType<linalg::GenericOp>();
    });
  }

  /// Whether recomputing an element is cheap.
  static bool isLittleWork(linalg::GenericOp producer) {
    constexpr int most = 4;
    std::optional<int> work = countWork(*producer.getBlock());
    return work && *work <= most;
  }

  /// Operations on the longest path through `block`; nothing if it contains a
  /// loop or a mathematical function.
  static std::optional<int> countWork(Block &block) {
    int work = 0;
    for (Operation &inner : block.without_terminator()) {
      if (auto branch = dyn_cast<scf::IfOp>(inner)) {
        int longest = 0;
        for (Region &region : branch->getRegions()) {
          std::optional<int> way =
              region.empty() ? 0 : countWork(region.front());
          if (!way)
            return std::nullopt;
          longest = std::max(longest, *way);
        }
        work += longest;
        continue;
      }
      if (inner.getNumRegions() > 0 ||
          isa<math::MathDialect>(inner.getDialect()))
        return std::nullopt;
      work += !isa<linalg::IndexOp, affine::AffineApplyOp>(inner);
    }
    return work;
  }
};

/// A transpose that is not folded into a contraction becomes elementwise.
struct GeneralizeTranspose : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    return linalg::generalizeNamedOp(rewriter,
                                     cast<linalg::LinalgOp>(op.getOperation()));
  }
};

struct FuseElementwisePass
    : stof::impl::FuseElementwisePassBase<FuseElementwisePass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet operands(&getContext());
    operands.add<FoldTransposeIntoContraction, FoldExtensionIntoContraction,
                 FoldReshapedTranspose>(&getContext());
    populateFoldBroadcastPatterns(operands);
    linalg::populateMoveInitOperandsToInputPattern(operands);
    RewritePatternSet chains(&getContext());
    chains.add<ComputeExtractedElement, GeneralizeTranspose>(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(chains, mayFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(operands))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(chains))))
      signalPassFailure();
  }
};

} // namespace

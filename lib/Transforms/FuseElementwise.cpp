//===----------------------------------------------------------------------===//
// Chains of elementwise operations become one; transposes of what a contraction
// reads become its indexing maps, extensions its own. Merging itself is
// upstream's; what is decided here is where to stop.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stof {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// Whether the producer of `operand` may be computed inside its user.
bool mayFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  auto user = cast<linalg::LinalgOp>(operand->getOwner());
  return producer->hasOneUse() && !linalg::isaContractionOpInterface(user);
}

/// contract(transpose(x), y) -> contract(x, y) with x read the other way round.
struct FoldTransposeIntoContraction
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ContractOp>(op))
      return rewriter.notifyMatchFailure(op, "is not a contraction by name");
    SmallVector<Value> inputs = op.getDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    bool changed = false;
    for (auto [input, map] : llvm::zip(inputs, maps)) {
      auto transpose = input.getDefiningOp<linalg::TransposeOp>();
      if (!transpose)
        continue;
      // Result dimension i of the transpose is dimension permutation[i] of x.
      SmallVector<AffineExpr> results(map.getNumResults());
      for (auto [i, from] : llvm::enumerate(transpose.getPermutation()))
        results[from] = map.getResult(i);
      map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
      input = transpose.getInput();
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "reads no transpose");
    rewriter.replaceOpWithNewOp<linalg::ContractOp>(
        op, op->getResultTypes(), inputs, op.getDpsInits(),
        rewriter.getAffineMapArrayAttr(maps));
    return success();
  }
};

/// What `value` is an exact copy of, element by element in a wider type, and
/// the map from its elements to those; null if it is none.
std::pair<Value, AffineMap> findNarrow(Value value) {
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

/// contract(extend(x), extend(y)) -> contract(x, y): a contraction widens what
/// it multiplies by itself.
struct FoldExtensionIntoContraction
    : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ContractOp>(op))
      return rewriter.notifyMatchFailure(op, "is not a contraction by name");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs = op.getDpsInputs();
    for (auto [input, map] : llvm::zip(inputs, maps)) {
      auto [narrow, fromWide] = findNarrow(input);
      if (!narrow)
        return rewriter.notifyMatchFailure(op, "an operand is not extended");
      input = narrow;
      map = fromWide.compose(map);
    }
    if (getElementTypeOrSelf(inputs[0]) != getElementTypeOrSelf(inputs[1]))
      return rewriter.notifyMatchFailure(op, "operands are of two types");
    rewriter.replaceOpWithNewOp<linalg::ContractOp>(
        op, op->getResultTypes(), inputs, op.getDpsInits(),
        rewriter.getAffineMapArrayAttr(maps));
    return success();
  }
};

/// A transpose that no contraction took is an elementwise operation.
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
    operands.add<FoldTransposeIntoContraction, FoldExtensionIntoContraction>(
        &getContext());
    RewritePatternSet chains(&getContext());
    chains.add<GeneralizeTranspose>(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(chains, mayFuse);
    if (failed(applyPatternsGreedily(getOperation(), std::move(operands))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(chains))))
      signalPassFailure();
  }
};

} // namespace

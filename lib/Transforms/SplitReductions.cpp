//===----------------------------------------------------------------------===//
// Splits reductions of many elements to few into two steps.
//
// A kernel assigns each reduced row to one CTA, which leaves most of a device
// idle if few rows span a whole tensor. So only the loop over adjacent elements
// is reduced first, then the partial results over the others.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupOperations.h"
#include "stof/Fusion/LinalgUtils.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

/// Rows that occupy a device, and elements that one CTA reduces quickly.
constexpr int64_t enoughRows = 64, fewElements = 16384;

/// The product of the sizes of the loops of `kind`; dynamic ones count as many.
int64_t countOf(linalg::GenericOp op, utils::IteratorType kind) {
  int64_t count = 1;
  for (auto [size, iterator] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (iterator == kind)
      count *= ShapedType::isDynamic(size) ? fewElements : size;
  return count;
}

/// The reduction loop over adjacent elements of the first input; nothing unless
/// there are several reduction loops, each a dim of it.
std::optional<unsigned> findLastLoop(linalg::GenericOp op) {
  if (op.getNumReductionLoops() < 2 || op.getNumDpsInputs() == 0)
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  std::optional<unsigned> last;
  unsigned found = 0;
  for (AffineExpr expr : map.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(expr);
        loop && kinds[loop.getPosition()] == utils::IteratorType::reduction) {
      last = loop.getPosition();
      ++found;
    }
  return found == op.getNumReductionLoops() ? last : std::nullopt;
}

void split(IRRewriter &rewriter, linalg::GenericOp op, unsigned last) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Operation *combiner = getCombiner(op);
  OpOperand &init = *op.getDpsInitOperand(0);
  OpOperand *first = op.getDpsInputOperand(0);
  Type element = getElementTypeOrSelf(init.get().getType());
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();

  // The first step keeps the original results, with a dim for each remaining
  // reduction loop.
  SmallVector<AffineExpr> exprs(op.getMatchingIndexingMap(&init).getResults());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, init.get());
  SmallVector<unsigned> left;
  for (auto [dim, expr] :
       llvm::enumerate(op.getMatchingIndexingMap(first).getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || loop.getPosition() == last ||
        kinds[loop.getPosition()] != utils::IteratorType::reduction)
      continue;
    kinds[loop.getPosition()] = utils::IteratorType::parallel;
    left.push_back(exprs.size());
    exprs.push_back(expr);
    sizes.push_back(tensor::getMixedSize(rewriter, loc, first->get(), dim));
  }
  Value neutral =
      arith::ConstantOp::create(rewriter, loc, *findNeutralElement(combiner));
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, element);
  Value start =
      linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.back() =
      AffineMap::get(op.getNumLoops(), 0, exprs, rewriter.getContext());
  auto partial = linalg::GenericOp::create(
      rewriter, loc, start.getType(), op.getDpsInputs(), start, maps, kinds);
  rewriter.cloneRegionBefore(op.getRegion(), partial.getRegion(),
                             partial.getRegion().end());

  unsigned rank = exprs.size();
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  AffineMap kept = AffineMap::get(
      rank, 0, all.getResults().drop_back(left.size()), rewriter.getContext());
  SmallVector<utils::IteratorType> lastKinds(rank,
                                             utils::IteratorType::parallel);
  for (unsigned dim : left)
    lastKinds[dim] = utils::IteratorType::reduction;
  auto whole = linalg::GenericOp::create(
      rewriter, loc, init.get().getType(), partial.getResult(0), init.get(),
      ArrayRef{all, kept}, lastKinds,
      [&](OpBuilder &builder, Location, ValueRange elements) {
        Operation *copy = builder.clone(*combiner);
        copy->setOperands(elements);
        linalg::YieldOp::create(builder, loc, copy->getResults());
      });
  rewriter.replaceOp(op, whole);
}

struct SplitReductionsPass
    : stof::impl::SplitReductionsPassBase<SplitReductionsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> worklist;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && getCombiner(op) &&
          countOf(op, utils::IteratorType::parallel) < enoughRows &&
          countOf(op, utils::IteratorType::reduction) > fewElements)
        worklist.push_back(op);
    });
    for (linalg::GenericOp op : worklist)
      if (std::optional<unsigned> last = findLastLoop(op))
        split(rewriter, op, *last);
  }
};

} // namespace

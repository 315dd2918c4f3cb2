//===----------------------------------------------------------------------===//
// Expands reshapes of contiguous buffers to explicit strides. Upstream's
// expansion computes strides for any layout and therefore allows one dynamic
// size per reassociation group; a contiguous buffer may have several.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {
#define GEN_PASS_DEF_EXPANDRESHAPESPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

static void expandReshape(RewriterBase &rewriter, memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  if (!type.getLayout().isIdentity() ||
      !op.getSrcType().getLayout().isIdentity())
    return;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  OpFoldResult stride = rewriter.getIndexAttr(1);
  AffineExpr lhs, rhs;
  bindSymbols(op.getContext(), lhs, rhs);
  for (int64_t dim = sizes.size() - 1; dim >= 0; --dim) {
    strides[dim] = stride;
    if (dim > 0)
      stride = affine::makeComposedFoldedAffineApply(rewriter, loc, lhs * rhs,
                                                     {stride, sizes[dim]});
  }
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, op.getSrc(), rewriter.getIndexAttr(0), sizes, strides);
}

namespace {

struct ExpandReshapesPass
    : stof::impl::ExpandReshapesPassBase<ExpandReshapesPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk(
        [&](memref::ExpandShapeOp op) { expandReshape(rewriter, op); });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Rewrites negative padding as a slice. Upstream folds a padding whose result
// has the type of its source, even if it crops as much as it adds.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {
#define GEN_PASS_DEF_IMPORTPADPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

static bool cutsOff(tensor::PadOp op) {
  auto isNegative = [](int64_t amount) {
    return !ShapedType::isDynamic(amount) && amount < 0;
  };
  return llvm::any_of(op.getStaticLow(), isNegative) ||
         llvm::any_of(op.getStaticHigh(), isNegative);
}

/// The amount to crop on a side; leaves the amount to pad in `amount`.
static int64_t takeCut(OpFoldResult &amount) {
  std::optional<int64_t> known = getConstantIntValue(amount);
  if (!known || *known >= 0)
    return 0;
  amount = IntegerAttr::get(IndexType::get(amount.getContext()), 0);
  return -*known;
}

/// Crops by a slice, then pads the rest.
static void cutThenPad(RewriterBase &rewriter, tensor::PadOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                            high = op.getMixedHighPad(), offsets, sizes;
  AffineExpr size = rewriter.getAffineSymbolExpr(0);
  for (unsigned dim = 0; dim < low.size(); ++dim) {
    int64_t before = takeCut(low[dim]), after = takeCut(high[dim]);
    sizes.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, size - (before + after),
        {tensor::getMixedSize(rewriter, loc, op.getSource(), dim)}));
    // The offset of an empty slice must be in bounds as well.
    offsets.push_back(
        rewriter.getIndexAttr(isZeroInteger(sizes.back()) ? 0 : before));
  }
  SmallVector<OpFoldResult> strides(low.size(), rewriter.getIndexAttr(1));
  Value kept = tensor::ExtractSliceOp::create(rewriter, loc, op.getSource(),
                                              offsets, sizes, strides);
  auto padded = tensor::PadOp::create(rewriter, loc, op.getType(), kept, low,
                                      high, op.getNofold());
  rewriter.inlineRegionBefore(op.getRegion(), padded.getRegion(),
                              padded.getRegion().begin());
  rewriter.replaceOp(op, padded);
}

namespace {

struct ImportPadPass : stof::impl::ImportPadPassBase<ImportPadPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<tensor::PadOp> cuts;
    getOperation()->walk([&](tensor::PadOp op) {
      if (cutsOff(op))
        cuts.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp op : cuts)
      cutThenPad(rewriter, op);
  }
};

} // namespace

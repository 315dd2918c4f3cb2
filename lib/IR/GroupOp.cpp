//===----------------------------------------------------------------------===//
// stof.group: verification, value bounds and canonicalisation.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/Stof.h"

using namespace mlir;
using namespace stof;

LogicalResult GroupOp::verifyRegions() {
  Block &body = getBody().front();
  // (G1)
  if (failed(verifyRegionArguments(*this, "group", body, {}, getInputs())))
    return failure();
  // (G2)
  return verifyYield(*this, "group", body, getResultTypes());
}

/// The operand of a body argument, or the yielded value of a result.
static Value getEquivalent(GroupOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return op.getInputs()[argument.getArgNumber()];
  Operation *yield = op.getBody().front().getTerminator();
  return yield->getOperand(cast<OpResult>(value).getResultNumber());
}

void GroupOp::populateBoundsForIndexValue(Value value,
                                          ValueBoundsConstraintSet &bounds) {
  bounds.bound(value) == getEquivalent(*this, value);
}

void GroupOp::populateBoundsForShapedValueDim(
    Value value, int64_t dim, ValueBoundsConstraintSet &bounds) {
  bounds.bound(value)[dim] == bounds.getExpr(getEquivalent(*this, value), dim);
}

namespace {
struct SimplifyGroupInputs : OpRewritePattern<GroupOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupOp op,
                                PatternRewriter &rewriter) const override {
    return simplifyCaptures(rewriter, op, op.getInputsMutable(),
                            op.getBody().front(), /*firstArgument=*/0);
  }
};

struct DropUnusedResults : OpRewritePattern<GroupOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GroupOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<unsigned> used;
    for (OpResult result : op.getResults())
      if (!result.use_empty())
        used.push_back(result.getResultNumber());
    if (used.size() == op.getNumResults())
      return rewriter.notifyMatchFailure(op, "every result is used");
    Block &body = op.getBody().front();
    SmallVector<Value> yielded;
    SmallVector<Type> types;
    for (unsigned position : used) {
      yielded.push_back(body.getTerminator()->getOperand(position));
      types.push_back(op.getResult(position).getType());
    }
    auto smaller =
        GroupOp::create(rewriter, op.getLoc(), types, op.getInputs());
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getBody(), smaller.getBody(),
                                smaller.getBody().end());
    Operation *yield = smaller.getBody().front().getTerminator();
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
    SmallVector<Value> replacements(op.getNumResults());
    for (auto [position, result] : llvm::zip(used, smaller.getResults()))
      replacements[position] = result;
    for (auto [old, now] : llvm::zip(op.getResults(), replacements))
      if (now)
        rewriter.replaceAllUsesWith(old, now);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void GroupOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<SimplifyGroupInputs, DropUnusedResults>(context);
}

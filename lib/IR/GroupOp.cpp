//===----------------------------------------------------------------------===//
// stof.group: verification, effects, value bounds, bufferization and
// canonicalisation.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "Destinations.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace stof;

// (G3)
LogicalResult GroupOp::verify() { return verifyDestinations(*this, getOuts()); }

/// The types of the region's values for `outside`: those of `inside` where they
/// are the contents of a buffer.
static SmallVector<Type> getContents(TypeRange outside, TypeRange inside) {
  SmallVector<Type> types(outside);
  for (auto [type, other] : llvm::zip(types, inside)) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer)
      continue;
    auto tensor = dyn_cast<RankedTensorType>(other);
    type =
        tensor && succeeded(verifyCompatibleShape(buffer, tensor)) &&
                buffer.getElementType() == tensor.getElementType()
            ? Type(tensor)
            : RankedTensorType::get(buffer.getShape(), buffer.getElementType());
  }
  return types;
}

LogicalResult GroupOp::verifyRegions() {
  Block &body = getBody().front();
  // (G1)
  if (failed(verifyRegionArguments(
          *this, "group", body,
          getContents(getInputs().getTypes(), body.getArgumentTypes()), {})))
    return failure();
  // (G2)
  TypeRange written =
      getNumResults() == 0 ? TypeRange(getOuts()) : TypeRange(getResultTypes());
  return verifyYield(
      *this, "group", body,
      getContents(written, body.getTerminator()->getOperandTypes()));
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

void GroupOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addBufferEffects(*this, getOutsMutable(), effects);
}

bool GroupOp::bufferizesToMemoryRead(OpOperand &operand,
                                     const AnalysisState &) {
  return !isDestination(operand, getOutsMutable());
}

bool GroupOp::bufferizesToMemoryWrite(OpOperand &operand,
                                      const AnalysisState &) {
  return isDestination(operand, getOutsMutable());
}

AliasingValueList GroupOp::getAliasingValues(OpOperand &operand,
                                             const AnalysisState &) {
  return getDestinationAliases(operand, *this, getOutsMutable());
}

FailureOr<BufferLikeType>
GroupOp::getBufferType(Value value, const BufferizationOptions &options,
                       const BufferizationState &state,
                       SmallVector<Value> &invocationStack) {
  if (isa<BlockArgument>(value))
    return emitOpError() << "keeps its body on tensors: expects to be inlined "
                            "before its operations are bufferized";
  return getDestinationType(value, *this, getOuts(), options, state,
                            invocationStack);
}

LogicalResult GroupOp::bufferize(RewriterBase &rewriter,
                                 const BufferizationOptions &options,
                                 BufferizationState &state) {
  return bufferizeDestinations(rewriter, *this, getOutsMutable(), options,
                               state);
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

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

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
    SmallVector<Value> yielded, outs;
    SmallVector<Type> types;
    for (unsigned position : used) {
      yielded.push_back(body.getTerminator()->getOperand(position));
      types.push_back(op.getResult(position).getType());
      if (!op.getOuts().empty())
        outs.push_back(op.getOuts()[position]);
    }
    auto smaller = GroupOp::create(rewriter, op.getLoc(), types, op.getInputs(),
                                   outs, op.getTilesAttr());
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

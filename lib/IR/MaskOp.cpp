//===----------------------------------------------------------------------===//
// stof.mask and stof.block_mask: verification and canonicalisation.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/Stof.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

#define GET_OP_CLASSES
#include "stof/IR/StofOps.cpp.inc"

void MaskOp::build(
    OpBuilder &builder, OperationState &state, MaskType type,
    ValueRange captures,
    function_ref<Value(OpBuilder &, Location, ValueRange)> predicate) {
  state.addOperands(captures);
  state.addTypes(type);
  SmallVector<Type> types(numCoordinates, builder.getIndexType());
  llvm::append_range(types, captures.getTypes());
  SmallVector<Location> locations(types.size(), state.location);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion(), {}, types, locations);
  Value keep = predicate(builder, state.location, body->getArguments());
  YieldOp::create(builder, state.location, keep);
}

LogicalResult MaskOp::verifyRegions() {
  Block &body = getPredicate().front();
  Builder builder(getContext());
  SmallVector<Type> coordinates(numCoordinates, builder.getIndexType());
  // (M1)
  if (failed(verifyRegionArguments(*this, "predicate", body, coordinates,
                                   getCaptures())))
    return failure();
  // (M2)
  if (failed(verifyYield(*this, "predicate", body, {builder.getI1Type()})))
    return failure();
  // (M3)
  return verifyNoSideEffects(*this, "predicate", body);
}

std::optional<bool> MaskOp::getConstantPredicate() {
  Operation *yield = getPredicate().front().getTerminator();
  APInt keep;
  if (!matchPattern(yield->getOperand(0), m_ConstantInt(&keep)))
    return std::nullopt;
  return keep.getBoolValue();
}

namespace {
struct SimplifyMaskCaptures : OpRewritePattern<MaskOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskOp op,
                                PatternRewriter &rewriter) const override {
    return simplifyCaptures(rewriter, op, op.getCapturesMutable(),
                            op.getPredicate().front(), MaskOp::numCoordinates);
  }
};
} // namespace

void MaskOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<SimplifyMaskCaptures>(context);
}

LogicalResult BlockMaskOp::verify() {
  // (B2)
  if (int64_t queries = getQueryBlock(), keys = getKeyBlock();
      queries <= 0 || keys <= 0)
    return emitOpError() << "expects a block of positive sides, but got "
                         << queries << " x " << keys;
  // (B1)
  int64_t pointers = cast<ShapedType>(getRowPtr().getType()).getDimSize(0);
  int64_t queries = getType().getQueries();
  if (ShapedType::isDynamic(pointers) || ShapedType::isDynamic(queries))
    return success();
  int64_t expected = llvm::divideCeil(queries, getQueryBlock()) + 1;
  if (pointers != expected)
    return emitOpError() << "expects row_ptr of " << expected
                         << " elements for " << queries
                         << " queries in blocks of " << getQueryBlock()
                         << ", but got " << pointers;
  return success();
}

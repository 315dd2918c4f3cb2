//===----------------------------------------------------------------------===//
// stof.scatter: verification, effects, bufferization and canonicalisation.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace stof;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether `expr` is a coordinate or 0.
static bool isCoordinateOrZero(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return isa<AffineDimExpr>(expr) || (constant && constant.getValue() == 0);
}

/// (S2) and (S4), for one index.
static LogicalResult verifyIndex(ScatterOp op, unsigned number) {
  AffineMap map = op.getIndexingMap(number);
  auto index = cast<ShapedType>(op.getIndices()[number].getType());
  ShapedType updates = op.getUpdatesType();
  if (map.getNumDims() != updates.getRank() || map.getNumSymbols() != 0 ||
      map.getNumResults() != index.getRank() ||
      !llvm::all_of(map.getResults(), isCoordinateOrZero))
    return op.emitOpError()
           << "expects the map of index " << number << " to take "
           << updates.getRank() << " coordinates to " << index.getRank()
           << " of them or 0, but got " << AffineMapAttr::get(map);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t size = index.getDimSize(dim);
    auto coordinate = dyn_cast<AffineDimExpr>(expr);
    int64_t wanted =
        coordinate ? updates.getDimSize(coordinate.getPosition()) : 1;
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(wanted))
      continue;
    if (coordinate ? size != wanted : size < wanted)
      return op.emitOpError()
             << "expects dimension " << dim << " of index " << number
             << " to have " << wanted << " elements, but got " << size;
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  ShapedType updates = getUpdatesType(), original = getOriginalType();
  // (S1)
  if (updates.getElementType() != original.getElementType())
    return emitOpError() << "expects updates of the element type of the "
                            "original, "
                         << original.getElementType() << ", but got "
                         << updates.getElementType();
  bool onTensors = isa<TensorType>(original);
  for (Value operand : getOperands())
    if (isa<TensorType>(operand.getType()) != onTensors)
      return emitOpError() << "expects all operands to be "
                           << (onTensors ? "tensors" : "buffers")
                           << ", but got " << operand.getType();
  // (S2)
  if (getIndexingMaps().size() != getIndices().size())
    return emitOpError() << "expects a map for each of " << getIndices().size()
                         << " indices, but got " << getIndexingMaps().size();
  // (S3)
  AffineMap position = getPosition();
  if (position.getNumDims() != updates.getRank() ||
      position.getNumSymbols() != getIndices().size() ||
      position.getNumResults() != original.getRank())
    return emitOpError() << "expects a position of " << original.getRank()
                         << " coordinates from " << updates.getRank()
                         << " coordinates and " << getIndices().size()
                         << " indices, but got "
                         << AffineMapAttr::get(position);
  for (unsigned number = 0; number < getIndices().size(); ++number)
    if (failed(verifyIndex(*this, number)))
      return failure();
  // (S6)
  if (onTensors != static_cast<bool>(getResult()))
    return emitOpError() << "expects a result on tensors and none on buffers";
  if (getResult() && getResult().getType() != original)
    return emitOpError() << "expects a result of the type of the original, "
                         << original << ", but got " << getResult().getType();
  return success();
}

LogicalResult ScatterOp::verifyRegions() {
  // (S5)
  Block &body = getCombine().front();
  Type element = getOriginalType().getElementType();
  if (failed(verifyRegionArguments(*this, "combination", body,
                                   {element, element}, {})) ||
      failed(verifyYield(*this, "combination", body, element)))
    return failure();
  return verifyNoSideEffects(*this, "combination", body);
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

void ScatterOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (!isDpsInit(&operand) || combinesOld())
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

Speculation::Speculatability ScatterOp::getSpeculatability() {
  return hasPureTensorSemantics() ? Speculation::Speculatable
                                  : Speculation::NotSpeculatable;
}

LogicalResult
ScatterOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (getResult())
    reifiedReturnShapes.push_back(
        tensor::getMixedSizes(builder, getLoc(), getOriginal()));
  return success();
}

SmallVector<unsigned> ScatterOp::getSeparatingDims() {
  SmallVector<unsigned> dims;
  for (AffineExpr expr : getPosition().getResults()) {
    // The constant of a simplified sum is on the right.
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
        sum && sum.getKind() == AffineExprKind::Add) {
      auto shift = dyn_cast<AffineConstantExpr>(sum.getRHS());
      if (shift && (!getWrapped() || shift.getValue() >= 0))
        expr = sum.getLHS();
    }
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && !llvm::is_contained(dims, dim.getPosition()))
      dims.push_back(dim.getPosition());
  }
  llvm::sort(dims);
  return dims;
}

// Elements without an update are preserved, so the original counts as read.
bool ScatterOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return true;
}

bool ScatterOp::bufferizesToMemoryWrite(OpOperand &operand,
                                        const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList ScatterOp::getAliasingValues(OpOperand &operand,
                                               const AnalysisState &) {
  if (isDpsInit(&operand))
    return {{getTiedOpResult(&operand), BufferRelation::Equivalent}};
  return {};
}

LogicalResult ScatterOp::bufferize(RewriterBase &rewriter,
                                   const BufferizationOptions &options,
                                   BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value operand : getOperands()) {
    FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  auto onBuffers = cast<ScatterOp>(
      mlir::cloneWithoutRegions(rewriter, getOperation(), {}, buffers));
  rewriter.inlineRegionBefore(getCombine(), onBuffers.getCombine(),
                              onBuffers.getCombine().end());
  replaceOpWithBufferizedValues(rewriter, *this, onBuffers.getOriginal());
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {

/// Replaces a scatter without updates by its original.
struct DropEmptyScatter : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getResult() ||
        !llvm::is_contained(op.getUpdatesType().getShape(), 0))
      return rewriter.notifyMatchFailure(op, "may have updates");
    rewriter.replaceOp(op, op.getOriginal());
    return success();
  }
};

} // namespace

void ScatterOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropEmptyScatter>(context);
}

//===----------------------------------------------------------------------===//
// stof.attention: verification, effects and canonicalisation.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// The masks
//===----------------------------------------------------------------------===//

ParseResult
stof::parseMask(OpAsmParser &parser,
                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &masks,
                SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword("mask")))
    return success();
  return failure(
      parser.parseLParen() || parser.parseOperand(masks.emplace_back()) ||
      parser.parseColonType(types.emplace_back()) || parser.parseRParen());
}

void stof::printMask(OpAsmPrinter &printer, Operation *, OperandRange masks,
                     TypeRange types) {
  if (!masks.empty())
    printer << " mask(" << masks[0] << " : " << types[0] << ")";
}

ParseResult
stof::parseEmptyRowsMask(OpAsmParser &parser,
                         SmallVectorImpl<OpAsmParser::UnresolvedOperand> &masks,
                         SmallVectorImpl<Type> &types) {
  SMLoc where = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("over")))
    return success();
  if (masks.empty())
    return parser.emitError(where)
           << "expects a mask for fully masked rows over the keys of another";
  return failure(parser.parseOperand(masks.emplace_back()) ||
                 parser.parseColonType(types.emplace_back()));
}

void stof::printEmptyRowsMask(OpAsmPrinter &printer, Operation *,
                              OperandRange masks, TypeRange types) {
  if (masks.size() > 1)
    printer << " over " << masks[1] << " : " << types[1];
}

//===----------------------------------------------------------------------===//
// The score region
//===----------------------------------------------------------------------===//

/// Creates the block of an identity score region.
static void buildIdentityScore(OpBuilder &builder, Location loc,
                               Region &score) {
  SmallVector<Type> types(AttentionOp::numScoreArguments,
                          builder.getIndexType());
  types.front() = builder.getF32Type();
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&score, score.end(), types,
                                    SmallVector<Location>(types.size(), loc));
  YieldOp::create(builder, loc, body->getArgument(0));
}

static bool isIdentity(Block &body) {
  Operation *yield = body.getTerminator();
  return yield->getNumOperands() == 1 &&
         yield->getOperand(0) == body.getArgument(0);
}

ParseResult stof::parseScore(OpAsmParser &parser, Region &score) {
  SMLoc where = parser.getCurrentLocation();
  Location loc = parser.getEncodedSourceLoc(where);
  if (failed(parser.parseOptionalKeyword("score"))) {
    OpBuilder builder(parser.getContext());
    buildIdentityScore(builder, loc, score);
    return success();
  }
  if (parser.parseRegion(score))
    return failure();
  AttentionOp::ensureTerminator(score, parser.getBuilder(), loc);
  return success();
}

void stof::printScore(OpAsmPrinter &printer, Operation *, Region &score) {
  Block &body = score.front();
  if (body.getNumArguments() == AttentionOp::numScoreArguments &&
      llvm::hasSingleElement(body) && isIdentity(body))
    return;
  printer << " score ";
  printer.printRegion(score);
}

bool AttentionOp::hasScore() { return !isIdentity(getScore().front()); }

void AttentionOp::build(
    OpBuilder &builder, OperationState &state, TypeRange types, Value query,
    Value key, Value value, Value mask, Value sinks, Value dynamicScale,
    ValueRange captures, Value out, Value lse, FloatAttr scale,
    EmptyRows emptyRows, Value emptyRowsMask,
    function_ref<Value(OpBuilder &, Location, ValueRange)> score) {
  SmallVector<Value> masks;
  for (Value given : {mask, emptyRowsMask})
    if (given)
      masks.push_back(given);
  assert((mask || !emptyRowsMask) && "the second mask follows the first");
  build(builder, state, types, query, key, value, masks, sinks, dynamicScale,
        captures, out, lse, /*layoutOperands=*/{}, /*tile=*/{}, /*layout=*/{},
        /*schedule=*/{}, scale, emptyRows);
  Region &region = *state.regions.front();
  buildIdentityScore(builder, state.location, region);
  if (!score)
    return;
  Block &body = region.front();
  for (Type type : captures.getTypes())
    body.addArgument(type, state.location);
  Operation *yield = body.getTerminator();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(yield);
  yield->setOperand(0, score(builder, state.location, body.getArguments()));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether two sizes are both static and differ.
static bool differ(int64_t lhs, int64_t rhs) {
  return !ShapedType::isDynamic(lhs) && !ShapedType::isDynamic(rhs) &&
         lhs != rhs;
}

namespace {
/// An operand of rank 4, and its name in messages.
struct NamedOperand {
  StringRef name;
  ShapedType type;

  int64_t getSize(AttentionOp::Dim dim) const { return type.getDimSize(dim); }
};

/// The operands of rank 4.
struct MainOperands {
  explicit MainOperands(AttentionOp op)
      : query{"query", op.getQueryType()}, key{"key", op.getKeyType()},
        value{"value", op.getValueType()}, out{"out", op.getOutType()} {}

  std::array<NamedOperand, 4> getAll() const {
    return {query, key, value, out};
  }

  NamedOperand query, key, value, out;
};
} // namespace

/// Verifies the ranks, element types and extents of each of the operands.
static LogicalResult verifyTypes(AttentionOp op, const MainOperands &operands) {
  // (A1)
  Type element = operands.query.type.getElementType();
  for (const NamedOperand &operand : operands.getAll()) {
    if (operand.type.getRank() != 4)
      return op.emitOpError() << "expects " << operand.name
                              << " of rank 4, but got " << operand.type;
    if (operand.type.getElementType() != element)
      return op.emitOpError() << "expects " << operand.name
                              << " to have the element type of query, "
                              << element << ", but got " << operand.type;
  }
  // (A11)
  for (const NamedOperand &operand : operands.getAll())
    if (llvm::is_contained(operand.type.getShape(), 0))
      return op.emitOpError()
             << "expects " << operand.name
             << " without a dimension of size zero, but got " << operand.type;
  // (A13)
  for (const NamedOperand &operand : operands.getAll())
    if (operand.getSize(AttentionOp::Position) > mostPositions)
      return op.emitOpError()
             << "expects " << operand.name
             << " of less than 2^31 positions, but got " << operand.type;
  return success();
}

/// Verifies the dimensions that operands have in common.
static LogicalResult verifyDims(AttentionOp op, const MainOperands &operands) {
  using Dim = AttentionOp::Dim;
  const auto &[query, key, value, out] = operands;
  auto agree = [&](const NamedOperand &lhs, const NamedOperand &rhs, Dim dim,
                   StringRef what) -> LogicalResult {
    if (!differ(lhs.getSize(dim), rhs.getSize(dim)))
      return success();
    return op.emitOpError() << "expects " << lhs.name << " and " << rhs.name
                            << " to have the same " << what << ", but got "
                            << lhs.type << " and " << rhs.type;
  };
  // (A2)
  bool isShared = op.sharesKeys() && value.getSize(Dim::Batch) == 1;
  if (!isShared && (failed(agree(query, key, Dim::Batch, "batch")) ||
                    failed(agree(query, value, Dim::Batch, "batch"))))
    return failure();
  if (failed(agree(query, out, Dim::Batch, "batch")) ||        //
      failed(agree(query, key, Dim::Feature, "features")) ||   // (A3)
      failed(agree(key, value, Dim::Head, "heads")) ||         // (A4)
      failed(agree(key, value, Dim::Position, "positions")) || //
      failed(agree(query, out, Dim::Head, "heads")) ||         // (A6)
      failed(agree(query, out, Dim::Position, "positions")) || //
      failed(agree(value, out, Dim::Feature, "features")))
    return failure();
  // (A5)
  int64_t heads = query.getSize(Dim::Head), keyHeads = key.getSize(Dim::Head);
  if (!ShapedType::isDynamic(heads) && !ShapedType::isDynamic(keyHeads) &&
      heads % keyHeads != 0)
    return op.emitOpError() << "expects the heads of query to be a multiple of "
                               "those of key, but got "
                            << query.type << " and " << key.type;
  return success();
}

/// Verifies the operands that may be absent.
static LogicalResult verifyOptional(AttentionOp op,
                                    const MainOperands &operands) {
  using Dim = AttentionOp::Dim;
  const auto &[query, key, value, out] = operands;
  // (A7)
  if (Value rows = op.getLse()) {
    auto type = cast<ShapedType>(rows.getType());
    for (Dim dim : {Dim::Batch, Dim::Head, Dim::Position})
      if (differ(type.getDimSize(dim), query.getSize(dim)))
        return op.emitOpError() << "expects lse to have the batch, heads and "
                                   "positions of query, but got "
                                << type << " and " << query.type;
    if (isa<TensorType>(type) != isa<TensorType>(out.type))
      return op.emitOpError() << "expects out and lse to be two tensors or two "
                                 "buffers, but got "
                              << out.type << " and " << type;
  }
  // (A8)
  for (Value keep : op.getMasks()) {
    auto type = cast<MaskType>(keep.getType());
    if (differ(type.getQueries(), query.getSize(Dim::Position)) ||
        differ(type.getKeys(), key.getSize(Dim::Position)))
      return op.emitOpError()
             << "expects a mask over the positions of query and key, but got "
             << type << " for " << query.type << " and " << key.type;
  }
  // (A14)
  constexpr unsigned mostMasks = 2;
  if (op.getMasks().size() > mostMasks)
    return op.emitOpError()
           << "expects at most two masks, but got " << op.getMasks().size();
  EmptyRows rows = op.getEmptyRows();
  if (op.getEmptyRowsMask() && rows != EmptyRows::Mean &&
      rows != EmptyRows::Unmasked)
    return op.emitOpError() << "expects empty_rows of 'mean' or 'unmasked' for "
                               "the keys of a mask, but got '"
                            << stringifyEmptyRows(rows) << "'";
  // (A9)
  if (Value logits = op.getSinks()) {
    auto type = cast<ShapedType>(logits.getType());
    if (differ(type.getDimSize(0), query.getSize(Dim::Head)))
      return op.emitOpError()
             << "expects one sink for each head of query, but got " << type
             << " and " << query.type;
    int64_t queries = query.getSize(Dim::Position);
    bool isKnown = type.hasStaticShape() && !ShapedType::isDynamic(queries);
    if (isKnown && type.getRank() == 2 &&
        (type.getDimSize(1) == 0 || queries % type.getDimSize(1) != 0))
      return op.emitOpError()
             << "expects sinks for equal parts of the queries, but got " << type
             << " and " << query.type;
  }
  return success();
}

LogicalResult AttentionOp::verify() {
  MainOperands operands(*this);
  return success(succeeded(verifyTypes(*this, operands)) &&
                 succeeded(verifyDims(*this, operands)) &&
                 succeeded(verifyOptional(*this, operands)) &&
                 succeeded(verifyLayout()));
}

// (A12)
LogicalResult AttentionOp::verifyLayout() {
  std::optional<LayoutAttr> layout = getLayout();
  if (!layout) {
    if (getLayoutOperands().empty())
      return success();
    return emitOpError()
           << "expects a layout for layout operands, but got none";
  }
  if (!getMask())
    return emitOpError() << "expects a mask for a layout, but got none";
  std::optional<AttentionTileAttr> tile = getTile();
  if (tile && (tile->getQueries() != layout->getRowTile() ||
               tile->getKeys() != layout->getColTile()))
    return emitOpError() << "expects a layout of tiles of "
                         << tile->getQueries() << " x " << tile->getKeys()
                         << ", as its tile says, but got "
                         << layout->getRowTile() << " x "
                         << layout->getColTile();
  return layout->verifyOperands(*this, getLayoutOperands());
}

LogicalResult AttentionOp::verifyRegions() {
  // (A10)
  Block &body = getScore().front();
  if (body.getNumArguments() == numScoreArguments && !getCaptures().empty())
    return emitOpError()
           << "expects captured values only with a score region, but got "
           << getCaptures().size() << " without one";
  Builder builder(getContext());
  SmallVector<Type> leading(numScoreArguments, builder.getIndexType());
  leading.front() = builder.getF32Type();
  if (failed(verifyRegionArguments(*this, "score region", body, leading,
                                   getCaptures())) ||
      failed(verifyYield(*this, "score region", body, {builder.getF32Type()})))
    return failure();
  return verifyNoSideEffects(*this, "score region", body);
}

MaskOpInterface AttentionOp::getMaskDefinition() {
  return getMask() ? getMask().getDefiningOp<MaskOpInterface>()
                   : MaskOpInterface();
}

BlockMaskOp AttentionOp::getPageTable() {
  auto blocks =
      getMask() ? getMask().getDefiningOp<BlockMaskOp>() : BlockMaskOp();
  return blocks && blocks.getLengths() ? blocks : BlockMaskOp();
}

StringRef AttentionOp::getMaskOrigin() {
  if (!getMask())
    return "none";
  MaskOpInterface mask = getMaskDefinition();
  return stringifyMaskOrigin(mask ? mask.getOrigin() : MaskOrigin::Argument);
}

//===----------------------------------------------------------------------===//
// Effects and shapes
//===----------------------------------------------------------------------===//

MutableOperandRange AttentionOp::getDpsInitsMutable() {
  return MutableOperandRange(getOperation(), getOutMutable().getOperandNumber(),
                             getLse() ? 2 : 1);
}

void AttentionOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
  // The masks are evaluated here, which reads their captured buffers.
  for (Value keep : getMasks())
    if (mayReadBuffers(keep))
      effects.emplace_back(MemoryEffects::Read::get());
}

Speculation::Speculatability AttentionOp::getSpeculatability() {
  return hasPureTensorSemantics() ? Speculation::Speculatable
                                  : Speculation::NotSpeculatable;
}

LogicalResult AttentionOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  for (Value init : getDpsInits())
    if (isa<RankedTensorType>(init.getType()))
      reifiedReturnShapes.push_back(
          tensor::getMixedSizes(builder, getLoc(), init));
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {
struct SimplifyScoreCaptures : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    return simplifyCaptures(rewriter, op, op.getCapturesMutable(),
                            op.getScore().front(),
                            AttentionOp::numScoreArguments);
  }
};

/// Drops captured values and dead code of an identity score region.
struct DropIdentityScore : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getScore().front();
    if (op.hasScore())
      return rewriter.notifyMatchFailure(op, "changes the score");
    if (llvm::hasSingleElement(body) && op.getCaptures().empty())
      return rewriter.notifyMatchFailure(op, "has nothing to drop");
    rewriter.eraseBlock(&body);
    buildIdentityScore(rewriter, op.getLoc(), op.getScore());
    rewriter.modifyOpInPlace(op, [&] { op.getCapturesMutable().clear(); });
    return success();
  }
};

/// Drops a mask that has no effect. Without a mask, rows are fully masked only
/// if a score region yields -inf; otherwise `empty_rows` is reset.
struct DropFullMask : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask()) {
      if (op.getEmptyRows() == EmptyRows::Zero || op.hasScore())
        return rewriter.notifyMatchFailure(op, "has no mask to drop");
      rewriter.modifyOpInPlace(op, [&] { op.dropEmptyRows(); });
      return success();
    }
    MaskOpInterface mask = op.getMaskDefinition();
    std::optional<bool> keep =
        mask ? mask.getConstantPredicate() : std::nullopt;
    bool unmasked = keep && !*keep &&
                    op.getEmptyRows() == EmptyRows::Unmasked &&
                    !op.getEmptyRowsMask() && !op.getSinks();
    if (!keep || !(*keep || unmasked))
      return rewriter.notifyMatchFailure(op, "its mask has an effect");
    if (op.hasScore() && op.getEmptyRowsMask())
      return rewriter.notifyMatchFailure(op, "a second mask follows it");
    rewriter.modifyOpInPlace(op, [&] {
      op.getMasksMutable().clear();
      op.dropLayout();
      if (!op.hasScore())
        op.dropEmptyRows();
    });
    return success();
  }
};

/// Drops the mask of `empty_rows` if it keeps all keys.
struct DropFullEmptyRowsMask : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    Value keep = op.getEmptyRowsMask();
    auto mask = keep ? keep.getDefiningOp<MaskOpInterface>() : nullptr;
    if (!mask || mask.getConstantPredicate() != true)
      return rewriter.notifyMatchFailure(op, "has no full mask of empty rows");
    rewriter.modifyOpInPlace(op, [&] { op.dropEmptyRowsMask(); });
    return success();
  }
};

/// Folds an attention whose positions are all masked to the constant of its
/// empty rows.
struct FoldEmptyMask : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    MaskOpInterface mask = op.getMaskDefinition();
    if (!mask || mask.getConstantPredicate() != false)
      return rewriter.notifyMatchFailure(op, "it may have unmasked keys");
    bool zero = op.getEmptyRows() == EmptyRows::Zero;
    if (!zero && op.getEmptyRows() != EmptyRows::NaN)
      return rewriter.notifyMatchFailure(op, "its empty rows are not constant");
    if (!op.hasPureTensorSemantics() || op.getSinks() || op.getLse())
      return rewriter.notifyMatchFailure(op, "has sinks, lse or buffers");
    auto type = cast<RankedTensorType>(op.getOut().getType());
    const llvm::fltSemantics &semantics =
        cast<FloatType>(type.getElementType()).getFloatSemantics();
    APFloat row =
        zero ? APFloat::getZero(semantics) : APFloat::getNaN(semantics);
    Value element = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        rewriter.getFloatAttr(type.getElementType(), row));
    SmallVector<Value> sizes;
    for (unsigned dim = 0; dim < 4; ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            tensor::DimOp::create(rewriter, op.getLoc(), op.getOut(), dim));
    rewriter.replaceOpWithNewOp<tensor::SplatOp>(op, element, type, sizes);
    return success();
  }
};

/// Folds a constant scale operand into the attribute.
struct FoldConstantScale : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    FloatAttr known;
    if (!op.getDynamicScale() ||
        !matchPattern(op.getDynamicScale(), m_Constant(&known)))
      return rewriter.notifyMatchFailure(op, "has no constant scale operand");
    float scale = known.getValue().convertToFloat();
    if (std::optional<APFloat> fixed = op.getScale())
      scale *= fixed->convertToFloat();
    rewriter.modifyOpInPlace(op, [&] {
      op.getDynamicScaleMutable().clear();
      op.setScaleAttr(rewriter.getF32FloatAttr(scale));
    });
    return success();
  }
};
} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<SimplifyScoreCaptures, DropIdentityScore, DropFullMask,
               DropFullEmptyRowsMask, FoldEmptyMask, FoldConstantScale>(
      context);
}

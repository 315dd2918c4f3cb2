//===----------------------------------------------------------------------===//
// Tiling of stof.attention: a tile is an attention on slices of the operands,
// with the coordinates of mask and score shifted to those of the untiled op.
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "stof-attention-tiling"

using namespace mlir;
using namespace stof;

/// Batch, query head and query are tiled; keys and features are not.
static constexpr unsigned numLoops = 3;

//===----------------------------------------------------------------------===//
// Properties of a tile
//===----------------------------------------------------------------------===//

static OpFoldResult floorDiv(OpBuilder &builder, Location loc,
                             OpFoldResult value, int64_t divisor) {
  AffineExpr expr = builder.getAffineDimExpr(0).floorDiv(divisor);
  return affine::makeComposedFoldedAffineApply(builder, loc, expr, {value});
}

namespace {
/// The key heads of a tile of query heads.
enum class KeyHeads {
  all,       ///< All key heads.
  perGroup,  ///< One per GQA group, as the tile consists of whole groups.
  withinOne, ///< A single one, as the tile is inside a GQA group.
};

/// A tile of the loops over batch, query head and query.
struct Tile {
  mutable AttentionOp op;
  ArrayRef<OpFoldResult> offsets, sizes;

  /// The key heads that the tile reads; nothing, with the reason in `why`, if
  /// its heads straddle GQA groups.
  std::optional<KeyHeads> getKeyHeads(std::string &why) const;

  /// Whether the mask can be shifted to the tile; if not, `why` has the reason.
  bool canShiftMask(std::string &why) const;

  /// Whether the tile covers loop `dim`.
  bool isWholeOf(unsigned dim) const {
    return isWhole(op.getQuery(), dim, offsets[dim], sizes[dim]);
  }

  int64_t getQueries() const {
    return getConstantIntValue(sizes[AttentionOp::position])
        .value_or(ShapedType::kDynamic);
  }
};
} // namespace

std::optional<KeyHeads> Tile::getKeyHeads(std::string &why) const {
  constexpr unsigned head = AttentionOp::head;
  int64_t heads = op.getQueryType().getDimSize(head);
  int64_t keyHeads = op.getKeyType().getDimSize(head);
  if (keyHeads == 1 || isWholeOf(head))
    return KeyHeads::all;
  llvm::raw_string_ostream reason(why);
  if (ShapedType::isDynamic(heads) || ShapedType::isDynamic(keyHeads)) {
    reason << "expects a static number of heads to tile them, but got '"
           << op.getQueryType() << "' and '" << op.getKeyType() << "'";
    return std::nullopt;
  }
  int64_t group = heads / keyHeads;
  int64_t start = knownDivisor(offsets[head]);
  if (start % group == 0 && knownDivisor(sizes[head]) % group == 0)
    return KeyHeads::perGroup;
  std::optional<int64_t> size = getConstantIntValue(sizes[head]);
  if (size && *size > 0 && group % *size == 0 && start % *size == 0)
    return KeyHeads::withinOne;
  reason << "expects a tile of heads to be whole GQA groups of " << group
         << " heads or to be inside one, but got ";
  if (size)
    reason << *size << " heads";
  else
    reason << "an unknown number of heads";
  return std::nullopt;
}

bool Tile::canShiftMask(std::string &why) const {
  Value mask = op.getMask();
  constexpr unsigned position = AttentionOp::position;
  if (!mask || mask.getDefiningOp<MaskOp>())
    return true;
  llvm::raw_string_ostream reason(why);
  if (auto blocks = mask.getDefiningOp<BlockMaskOp>()) {
    int64_t side = blocks.getQueryBlock();
    if (isWholeOf(position) || knownDivisor(offsets[position]) % side == 0)
      return true;
    reason << "expects a tile of queries to start at a multiple of " << side
           << ", the query block of its 'stof.block_mask', but got an offset "
              "not known to be one";
    return false;
  }
  if (isWholeOf(AttentionOp::batch) && isWholeOf(AttentionOp::head) &&
      isWholeOf(position))
    return true;
  reason << "expects a mask defined by 'stof.mask' or 'stof.block_mask' for "
            "tiling, but got ";
  if (Operation *definition = mask.getDefiningOp())
    reason << "one defined by '" << definition->getName() << "'";
  else
    reason << "a block argument";
  return false;
}

//===----------------------------------------------------------------------===//
// Tiles of operands, masks and scores
//===----------------------------------------------------------------------===//

/// Whether `body` uses a coordinate with a nonzero offset. Coordinates start at
/// argument `first`.
static bool seesOffsets(Block &body, unsigned first,
                        ArrayRef<OpFoldResult> offsets) {
  return llvm::any_of(llvm::enumerate(offsets), [&](auto offset) {
    return !isZeroInteger(offset.value()) &&
           !body.getArgument(first + offset.index()).use_empty();
  });
}

/// Adds `offsets` to the coordinates of `body`, which start at argument
/// `first`. Dynamic offsets are captured.
static void shiftCoordinates(OpBuilder &builder, Location loc, Block &body,
                             unsigned first, ArrayRef<OpFoldResult> offsets,
                             MutableOperandRange captures) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  for (auto [position, offset] : llvm::enumerate(offsets)) {
    BlockArgument coordinate = body.getArgument(first + position);
    if (isZeroInteger(offset) || coordinate.use_empty())
      continue;
    Value distance;
    if (auto value = dyn_cast<Value>(offset)) {
      captures.append(value);
      distance = body.addArgument(value.getType(), loc);
    } else {
      distance = arith::ConstantIndexOp::create(builder, loc,
                                                *getConstantIntValue(offset));
    }
    auto shifted = arith::AddIOp::create(builder, loc, coordinate, distance);
    coordinate.replaceAllUsesExcept(shifted, shifted);
  }
}

/// The mask in the coordinates of the tile.
static Value createMaskTile(OpBuilder &builder, const Tile &tile) {
  AttentionOp op = tile.op;
  Value mask = op.getMask();
  auto whole = cast<MaskType>(mask.getType());
  MaskType type =
      MaskType::get(op.getContext(), tile.getQueries(), whole.getKeys());
  constexpr unsigned position = AttentionOp::position;

  if (auto blocks = mask.getDefiningOp<BlockMaskOp>()) {
    if (tile.isWholeOf(position))
      return mask;
    // Row pointers are absolute, so `col_idx` stays unsliced.
    int64_t side = blocks.getQueryBlock();
    Location loc = blocks.getLoc();
    AffineExpr pointers = builder.getAffineDimExpr(0).ceilDiv(side) + 1;
    Operation *rows =
        createSlice(builder, loc, blocks.getRowPtr(),
                    floorDiv(builder, loc, tile.offsets[position], side),
                    affine::makeComposedFoldedAffineApply(
                        builder, loc, pointers, {tile.sizes[position]}));
    return BlockMaskOp::create(builder, loc, type, rows->getResult(0),
                               blocks.getColIdx(), blocks.getQueryBlockAttr(),
                               blocks.getKeyBlockAttr());
  }

  auto predicate = mask.getDefiningOp<MaskOp>();
  if (!predicate ||
      (tile.isWholeOf(position) &&
       !seesOffsets(predicate.getPredicate().front(), 0, tile.offsets)))
    return mask;
  MaskOp shifted = clone(builder, predicate, SmallVector<Type>{type},
                         predicate.getCaptures());
  shiftCoordinates(builder, predicate.getLoc(), shifted.getPredicate().front(),
                   0, tile.offsets, shifted.getCapturesMutable());
  return shifted.getResult();
}

/// Builds the attention of the tile. On failure `why` has the reason.
static FailureOr<TilingResult> createTile(OpBuilder &builder, const Tile &tile,
                                          std::string &why) {
  std::optional<KeyHeads> keyHeads = tile.getKeyHeads(why);
  if (!keyHeads || !tile.canShiftMask(why))
    return failure();

  AttentionOp op = tile.op;
  Location loc = op.getLoc();
  constexpr unsigned batch = AttentionOp::batch, head = AttentionOp::head,
                     position = AttentionOp::position,
                     feature = AttentionOp::feature;
  OpFoldResult zero = builder.getIndexAttr(0);

  // The first `numLoops` dimensions are tiled, the feature dimension is not.
  auto follow = [&](Value whole) -> std::array<SmallVector<OpFoldResult>, 2> {
    SmallVector<OpFoldResult> offsets(tile.offsets), sizes(tile.sizes);
    if (cast<ShapedType>(whole.getType()).getRank() > int64_t(numLoops)) {
      offsets.push_back(zero);
      sizes.push_back(getSize(builder, loc, whole, feature));
    }
    return {offsets, sizes};
  };
  OpFoldResult keyHead = zero, keyHeadCount;
  switch (*keyHeads) {
  case KeyHeads::all:
    keyHeadCount = getSize(builder, loc, op.getKey(), head);
    break;
  case KeyHeads::perGroup:
  case KeyHeads::withinOne: {
    int64_t group =
        op.getQueryType().getDimSize(head) / op.getKeyType().getDimSize(head);
    keyHead = floorDiv(builder, loc, tile.offsets[head], group);
    keyHeadCount = *keyHeads == KeyHeads::perGroup
                       ? floorDiv(builder, loc, tile.sizes[head], group)
                       : builder.getIndexAttr(1);
    break;
  }
  }

  TilingResult result;
  SmallVector<Value> operands(op->getOperands());
  auto slice = [&](OpOperand &operand, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes) {
    Operation *part = createSlice(builder, loc, operand.get(), offsets, sizes);
    result.generatedSlices.push_back(part);
    operands[operand.getOperandNumber()] = part->getResult(0);
  };
  SmallVector<OpOperand *> followers{&op.getQueryMutable()};
  for (OpOperand &init : op.getDpsInitsMutable())
    followers.push_back(&init);
  for (OpOperand *operand : followers) {
    auto [offsets, sizes] = follow(operand->get());
    slice(*operand, offsets, sizes);
  }
  for (OpOperand *operand : {&op.getKeyMutable(), &op.getValueMutable()})
    slice(*operand, {tile.offsets[batch], keyHead, zero, zero},
          {tile.sizes[batch], keyHeadCount,
           getSize(builder, loc, operand->get(), position),
           getSize(builder, loc, operand->get(), feature)});
  for (OpOperand &sinks : op.getSinksMutable())
    slice(sinks, tile.offsets[head], tile.sizes[head]);
  for (OpOperand &mask : op.getMaskMutable())
    operands[mask.getOperandNumber()] = createMaskTile(builder, tile);

  SmallVector<Type> types;
  unsigned firstInit = op.getOutMutable().getOperandNumber();
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    types.push_back(operands[firstInit + i].getType());
  auto tiled = cast<AttentionOp>(
      cloneWithoutRegions(builder, op.getOperation(), types, operands));
  // The layout refers to row tiles of the untiled attention.
  tiled.dropLayout();
  builder.cloneRegionBefore(op.getScore(), tiled.getScore(),
                            tiled.getScore().end());
  if (op.hasScore())
    shiftCoordinates(builder, loc, tiled.getScore().front(), 1, tile.offsets,
                     tiled.getCapturesMutable());
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  return result;
}

//===----------------------------------------------------------------------===//
// TilingInterface
//===----------------------------------------------------------------------===//

SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(numLoops,
                                          utils::IteratorType::parallel);
}

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &builder) {
  SmallVector<Range> domain;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    domain.push_back({builder.getIndexAttr(0),
                      getSize(builder, getLoc(), getQuery(), dim),
                      builder.getIndexAttr(1)});
  return domain;
}

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &builder,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  std::string why;
  FailureOr<TilingResult> tile =
      createTile(builder, Tile{*this, offsets, sizes}, why);
  if (failed(tile))
    emitOpError() << why;
  return tile;
}

LogicalResult AttentionOp::getResultTilePosition(
    OpBuilder &builder, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  if (resultNumber == 0) {
    resultOffsets.push_back(builder.getIndexAttr(0));
    resultSizes.push_back(getSize(builder, getLoc(), getOut(), feature));
  }
  return success();
}

LogicalResult AttentionOp::getIterationDomainTileFromResultTile(
    OpBuilder &, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &loopOffsets,
    SmallVectorImpl<OpFoldResult> &loopSizes) {
  // A slice of the features costs as much as all of them, since scores are
  // computed for both.
  if (resultNumber == 0 &&
      !isWhole(getOut(), feature, offsets[feature], sizes[feature]))
    return failure();
  loopOffsets.assign(offsets.begin(), offsets.begin() + numLoops);
  loopSizes.assign(sizes.begin(), sizes.begin() + numLoops);
  return success();
}

FailureOr<TilingResult>
AttentionOp::generateResultTileValue(OpBuilder &builder, unsigned resultNumber,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> loopOffsets, loopSizes;
  if (failed(getIterationDomainTileFromResultTile(
          builder, resultNumber, offsets, sizes, loopOffsets, loopSizes)))
    return failure();
  // Fusion may be attempted speculatively, so failure is not an error.
  std::string why;
  FailureOr<TilingResult> tile =
      createTile(builder, Tile{*this, loopOffsets, loopSizes}, why);
  if (failed(tile)) {
    LDBG() << why;
    return failure();
  }
  tile->tiledValues = {tile->tiledValues[resultNumber]};
  return tile;
}

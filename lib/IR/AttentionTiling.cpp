//===----------------------------------------------------------------------===//
// Tiling of stof.attention: a tile is an attention on slices of the operands,
// with the coordinates of mask and score shifted to those of the untiled op.
//===----------------------------------------------------------------------===//

#include "Captures.h"
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

namespace {
/// The key heads of a tile of query heads.
enum class KeyHeads {
  All,       ///< All key heads.
  PerGroup,  ///< One per GQA group, as the tile consists of whole groups.
  WithinOne, ///< A single one, as the tile is inside a GQA group.
};

/// A tile of the loops over batch, query head and query.
struct Tile {
  mutable AttentionOp op;
  ArrayRef<OpFoldResult> offsets, sizes;

  /// The key heads that the tile reads; nothing, with the reason in `why`, if
  /// its heads straddle GQA groups.
  std::optional<KeyHeads> getKeyHeads(std::string &why) const;

  /// `mask` in the coordinates of the tile; on failure `why` has the reason.
  FailureOr<Value> createMask(OpBuilder &builder, Value mask,
                              std::string &why) const;

  /// Whether the tile has some of the queries of a head that have sinks for
  /// parts of them.
  bool dividesSinks() const {
    Value sinks = op.getSinks();
    return sinks && cast<ShapedType>(sinks.getType()).getRank() == 2 &&
           !isWholeOf(AttentionOp::Position);
  }

  /// Whether the tile covers loop `dim`.
  bool isWholeOf(unsigned dim) const {
    return isWhole(op.getQuery(), dim, offsets[dim], sizes[dim]);
  }
};
} // namespace

std::optional<KeyHeads> Tile::getKeyHeads(std::string &why) const {
  constexpr unsigned head = AttentionOp::Head;
  int64_t heads = op.getQueryType().getDimSize(head);
  int64_t keyHeads = op.getKeyType().getDimSize(head);
  if (keyHeads == 1 || isWholeOf(head))
    return KeyHeads::All;
  llvm::raw_string_ostream reason(why);
  if (ShapedType::isDynamic(heads) || ShapedType::isDynamic(keyHeads)) {
    reason << "expects a static number of heads to tile them, but got '"
           << op.getQueryType() << "' and '" << op.getKeyType() << "'";
    return std::nullopt;
  }
  int64_t group = heads / keyHeads;
  int64_t start = knownDivisor(offsets[head]);
  if (start % group == 0 && knownDivisor(sizes[head]) % group == 0)
    return KeyHeads::PerGroup;
  std::optional<int64_t> size = getConstantIntValue(sizes[head]);
  if (size && *size > 0 && group % *size == 0 && start % *size == 0)
    return KeyHeads::WithinOne;
  reason << "expects a tile of heads to be whole GQA groups of " << group
         << " heads or to be inside one, but got ";
  if (size)
    reason << *size << " heads";
  else
    reason << "an unknown number of heads";
  return std::nullopt;
}

FailureOr<Value> Tile::createMask(OpBuilder &builder, Value mask,
                                  std::string &why) const {
  std::array<bool, numLoops> isWhole;
  for (unsigned dim = 0; dim < numLoops; ++dim)
    isWhole[dim] = isWholeOf(dim);
  if (auto definition = mask.getDefiningOp<MaskOpInterface>())
    return definition.getTile(builder, {offsets, sizes, isWhole}, why);
  if (llvm::all_of(isWhole, [](bool whole) { return whole; }))
    return mask;
  llvm::raw_string_ostream reason(why);
  reason << "expects a mask defined by a mask operation for tiling, but got ";
  if (Operation *definition = mask.getDefiningOp())
    reason << "one defined by '" << definition->getName() << "'";
  else
    reason << "a block argument";
  return failure();
}

//===----------------------------------------------------------------------===//
// Tiles of operands
//===----------------------------------------------------------------------===//

/// The offset and the number of the key heads of `tile`.
static std::pair<OpFoldResult, OpFoldResult>
getKeyHeadRange(OpBuilder &builder, const Tile &tile, KeyHeads heads) {
  constexpr unsigned head = AttentionOp::Head;
  AttentionOp op = tile.op;
  Location loc = op.getLoc();
  if (heads == KeyHeads::All)
    return {builder.getIndexAttr(0), getSize(builder, loc, op.getKey(), head)};
  int64_t group =
      op.getQueryType().getDimSize(head) / op.getKeyType().getDimSize(head);
  OpFoldResult offset = floorDiv(builder, loc, tile.offsets[head], group);
  if (heads == KeyHeads::WithinOne)
    return {offset, builder.getIndexAttr(1)};
  return {offset, floorDiv(builder, loc, tile.sizes[head], group)};
}

namespace {
/// The operands of an attention, which are replaced by slices one by one.
class SlicedOperands {
public:
  SlicedOperands(OpBuilder &builder, AttentionOp op)
      : builder(builder), loc(op.getLoc()), operands(op->getOperands()) {}

  void slice(OpOperand &operand, ArrayRef<OpFoldResult> offsets,
             ArrayRef<OpFoldResult> sizes) {
    Operation *part = createSlice(builder, loc, operand.get(), offsets, sizes);
    slices.push_back(part);
    operands[operand.getOperandNumber()] = part->getResult(0);
  }

  /// Slices the leading dimensions, and takes all of the others.
  void sliceLeading(OpOperand &operand, ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes) {
    SmallVector<OpFoldResult> allOffsets(offsets), allSizes(sizes);
    int64_t rank = cast<ShapedType>(operand.get().getType()).getRank();
    for (unsigned dim = offsets.size(); dim < rank; ++dim) {
      allOffsets.push_back(builder.getIndexAttr(0));
      allSizes.push_back(getSize(builder, loc, operand.get(), dim));
    }
    slice(operand, allOffsets, allSizes);
  }

  void replace(OpOperand &operand, Value value) {
    operands[operand.getOperandNumber()] = value;
  }

  ArrayRef<Value> getOperands() const { return operands; }
  ArrayRef<Operation *> getSlices() const { return slices; }

private:
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> operands;
  SmallVector<Operation *> slices;
};
} // namespace

/// Builds the attention of the tile. On failure `why` has the reason.
static FailureOr<TilingResult> createTile(OpBuilder &builder, const Tile &tile,
                                          std::string &why) {
  assert(tile.offsets.size() == numLoops && tile.sizes.size() == numLoops &&
         "expects a range for each loop");
  std::optional<KeyHeads> keyHeads = tile.getKeyHeads(why);
  if (!keyHeads)
    return failure();
  if (tile.dividesSinks()) {
    why =
        "expects a tile to have all queries of a head with sinks for parts of "
        "them, but got some";
    return failure();
  }
  AttentionOp op = tile.op;
  SmallVector<std::pair<OpOperand *, Value>> masks;
  for (OpOperand &mask : op.getMasksMutable()) {
    FailureOr<Value> maskTile = tile.createMask(builder, mask.get(), why);
    if (failed(maskTile))
      return failure();
    masks.push_back({&mask, *maskTile});
  }

  constexpr unsigned batch = AttentionOp::Batch, head = AttentionOp::Head;
  auto [firstKeyHead, numKeyHeads] = getKeyHeadRange(builder, tile, *keyHeads);
  SlicedOperands sliced(builder, op);
  // The loops are the leading dimensions of these.
  sliced.sliceLeading(op.getQueryMutable(), tile.offsets, tile.sizes);
  for (OpOperand &init : op.getDpsInitsMutable())
    sliced.sliceLeading(init, tile.offsets, tile.sizes);
  OpFoldResult firstBatch = tile.offsets[batch], batches = tile.sizes[batch];
  if (op.sharesKeys()) {
    firstBatch = builder.getIndexAttr(0);
    batches = builder.getIndexAttr(1);
  }
  for (OpOperand *operand : {&op.getKeyMutable(), &op.getValueMutable()})
    sliced.sliceLeading(*operand, {firstBatch, firstKeyHead},
                        {batches, numKeyHeads});
  for (OpOperand &sinks : op.getSinksMutable())
    sliced.sliceLeading(sinks, tile.offsets[head], tile.sizes[head]);
  for (auto [mask, maskTile] : masks)
    sliced.replace(*mask, maskTile);

  ArrayRef<Value> operands = sliced.getOperands();
  unsigned firstInit = op.getOutMutable().getOperandNumber();
  auto types =
      llvm::map_to_vector(operands.slice(firstInit, op->getNumResults()),
                          [](Value init) { return init.getType(); });
  auto tiled = cast<AttentionOp>(
      cloneWithoutRegions(builder, op.getOperation(), types, operands));
  // The layout refers to row tiles of the untiled attention, and the CTA tile
  // suits its sizes.
  tiled.dropLayout();
  tiled.removeTileAttr();
  builder.cloneRegionBefore(op.getScore(), tiled.getScore(),
                            tiled.getScore().end());
  if (op.hasScore())
    shiftCoordinates(builder, op.getLoc(), tiled.getScore().front(), 1,
                     tile.offsets, tiled.getCapturesMutable());
  TilingResult result;
  result.tiledOps.push_back(tiled);
  llvm::append_range(result.tiledValues, tiled->getResults());
  llvm::append_range(result.generatedSlices, sliced.getSlices());
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
    resultSizes.push_back(getSize(builder, getLoc(), getOut(), Feature));
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
      !isWhole(getOut(), Feature, offsets[Feature], sizes[Feature]))
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

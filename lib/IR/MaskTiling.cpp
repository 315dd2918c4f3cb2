//===----------------------------------------------------------------------===//
// Masks of tiles: a predicate is shifted to the coordinates of the tile, a
// block list is sliced where the tile starts at one of its blocks.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "Slices.h"
#include "stof/IR/MaskPredicate.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace stof;

/// The type of the mask of `tile`.
static MaskType getTileType(MaskType whole, const MaskTile &tile) {
  int64_t queries = getConstantIntValue(tile.sizes[AttentionOp::Position])
                        .value_or(ShapedType::kDynamic);
  return MaskType::get(whole.getContext(), queries, whole.getKeys());
}

/// Whether a coordinate with a nonzero offset is used.
static bool seesOffsets(ArrayRef<BlockArgument> coordinates,
                        ArrayRef<OpFoldResult> offsets) {
  return llvm::any_of(llvm::zip(coordinates, offsets), [](auto pair) {
    auto [coordinate, offset] = pair;
    return !isZeroInteger(offset) && !coordinate.use_empty();
  });
}

Value stof::detail::shiftMask(OpBuilder &builder, MaskOpInterface mask,
                              const MaskTile &tile) {
  Value whole = mask->getResult(0);
  MaskPredicate predicate(mask);
  if (tile.isWhole[AttentionOp::Position] &&
      !seesOffsets(predicate.getCoordinates(), tile.offsets))
    return whole;
  IRMapping copies;
  MaskOp shifted = predicate.copy(
      builder, getTileType(cast<MaskType>(whole.getType()), tile), copies);
  shiftCoordinates(builder, mask.getLoc(), shifted.getPredicate().front(), 0,
                   tile.offsets, shifted.getCapturesMutable());
  return shifted;
}

FailureOr<Value> BlockMaskOp::getTile(OpBuilder &builder, const MaskTile &tile,
                                      std::string &why) {
  bool isWhole = tile.isWhole[AttentionOp::Position];
  if (isWhole && (!hasBatches() || tile.isWhole[AttentionOp::Batch]))
    return getResult();
  OpFoldResult offset = tile.offsets[AttentionOp::Position];
  int64_t side = getQueryBlock();
  if (!isWhole && knownDivisor(offset) % side != 0) {
    llvm::raw_string_ostream(why)
        << "expects a tile of queries to start at a multiple of " << side
        << ", the query block of its 'stof.block_mask', but got an offset not "
           "known to be one";
    return failure();
  }
  // Row pointers are absolute, so `col_idx` stays unsliced.
  AffineExpr blocks = builder.getAffineDimExpr(0).ceilDiv(side);
  auto slice = [&](Value whole, AffineExpr count) -> Value {
    SmallVector<OpFoldResult> offsets, sizes;
    if (hasBatches()) {
      offsets.push_back(tile.offsets[AttentionOp::Batch]);
      sizes.push_back(tile.sizes[AttentionOp::Batch]);
    }
    offsets.push_back(floorDiv(builder, getLoc(), offset, side));
    sizes.push_back(affine::makeComposedFoldedAffineApply(
        builder, getLoc(), count, {tile.sizes[AttentionOp::Position]}));
    return createSlice(builder, getLoc(), whole, offsets, sizes)->getResult(0);
  };
  Value rows = slice(getRowPtr(), blocks + 1);
  Value lengths = getLengths() ? slice(getLengths(), blocks) : Value();
  return BlockMaskOp::create(builder, getLoc(), getTileType(getType(), tile),
                             rows, getColIdx(), lengths, getQueryBlockAttr(),
                             getKeyBlockAttr())
      .getResult();
}

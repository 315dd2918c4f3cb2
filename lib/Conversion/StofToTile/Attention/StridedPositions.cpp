//===----------------------------------------------------------------------===//
// Positions at a constant stride.
//===----------------------------------------------------------------------===//

#include "StridedPositions.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;

/// The number of positions at `offset` and every `stride` after it, of
/// `length`.
static OpFoldResult countPositions(OpBuilder &builder, Location loc,
                                   Value length, int64_t stride,
                                   OpFoldResult offset) {
  std::optional<int64_t> known = getConstantIntValue(length);
  if (known && *known % stride == 0)
    return builder.getIndexAttr(*known / stride);
  Value first = getValueOrCreateConstantIndexOp(builder, loc, offset);
  Value rest = builder.createOrFold<arith::MaxSIOp>(
      loc, builder.createOrFold<arith::SubIOp>(loc, length, first),
      arith::ConstantIndexOp::create(builder, loc, 0));
  return getAsOpFoldResult(builder.createOrFold<arith::CeilDivUIOp>(
      loc, rest, arith::ConstantIndexOp::create(builder, loc, stride)));
}

StridedPositions StridedPositions::get(OpBuilder &builder, Location loc,
                                       Value length, int64_t stride,
                                       OpFoldResult offset) {
  assert(stride > 0 && "strides are positive");
  return {stride, offset, countPositions(builder, loc, length, stride, offset)};
}

Value StridedPositions::view(OpBuilder &builder, Location loc,
                             Value buffer) const {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      strides(type.getRank(), builder.getIndexAttr(1)), sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(sizeOf(builder, loc, buffer, dim));
  // The offset is clamped for short buffers, as an empty view has to start in
  // bounds.
  OpFoldResult length = sizes[AttentionOp::Position], first = offset;
  std::optional<int64_t> known = getConstantIntValue(length);
  if (!isZeroInteger(offset) && (!known || *known < stride - 1))
    first = builder.createOrFold<arith::MinUIOp>(
        loc, getValueOrCreateConstantIndexOp(builder, loc, offset),
        getValueOrCreateConstantIndexOp(builder, loc, length));
  offsets[AttentionOp::Position] = first;
  strides[AttentionOp::Position] = builder.getIndexAttr(stride);
  sizes[AttentionOp::Position] = count;
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes,
                                   strides);
}

Value StridedPositions::getCount(OpBuilder &builder, Location loc) const {
  return getValueOrCreateConstantIndexOp(builder, loc, count);
}

bool StridedPositions::fillTiles(int64_t tile) const {
  std::optional<int64_t> known = getConstantIntValue(count);
  return known && *known % tile == 0;
}

//===----------------------------------------------------------------------===//
// Layouts of masks of run-time data: a kernel lists the tiles on the device, as
// a subset of the closed form that bounds the mask.
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Rows of at most this many key tiles cannot be shortened enough to pay for
/// the kernel that lists the tiles.
static constexpr int64_t minKeyTiles = 4;

LayoutPlan stof::planEverything(AttentionOp op, TileShape shape) {
  MLIRContext *ctx = op.getContext();
  ArrayAttr everywhere =
      ArrayAttr::get(ctx, IntervalAttr::get(ctx, {}, {}, {}));
  LayoutPlan plan;
  plan.layout =
      LayoutAttr::get(ctx, shape.queries, shape.keys, LayoutStorage::ClosedForm,
                      everywhere, everywhere, {}, 1, 0, {}, {});
  return plan;
}

bool stof::hasEnoughTiles(AttentionOp op, TileShape shape) {
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::Position);
  return ShapedType::isDynamic(keys) || keys > minKeyTiles * shape.keys;
}

LayoutPlan stof::planRunTime(AttentionOp op, const LayoutPlan &within,
                             bool byBatch, bool byHead) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  // The census of the bounds does not apply to the mask.
  LayoutAttr bounds = LayoutAttr::get(
      op.getContext(), within.layout.getRowTile(), within.layout.getColTile(),
      within.layout.getStorage(), within.layout.getVisited(),
      within.layout.getPartial(), {}, 1, 0, within.layout.getSymbols(), {});
  SmallVector<OpFoldResult> sizes{
      tensor::getMixedSize(builder, loc, op.getQuery(), AttentionOp::Batch),
      tensor::getMixedSize(builder, loc, op.getQuery(), AttentionOp::Head),
      tensor::getMixedSize(builder, loc, op.getQuery(), AttentionOp::Position),
      tensor::getMixedSize(builder, loc, op.getKey(), AttentionOp::Position)};
  auto known = [](OpFoldResult size) {
    return getConstantIntValue(size).value_or(ShapedType::kDynamic);
  };
  auto tiles = [&](OpFoldResult size, int64_t side) {
    int64_t length = known(size);
    return ShapedType::isDynamic(length)
               ? length
               : int64_t(llvm::divideCeil(length, side));
  };
  int64_t extents[] = {
      byBatch ? known(sizes[0]) : 1, byHead ? known(sizes[1]) : 1,
      tiles(sizes[2], bounds.getRowTile()), LayoutAttr::rangeSize};
  int64_t room = 1;
  for (int64_t extent : {extents[0], extents[1], extents[2],
                         tiles(sizes[3], bounds.getColTile())})
    room = ShapedType::isDynamic(room) || ShapedType::isDynamic(extent)
               ? ShapedType::kDynamic
               : room * extent;
  // The mainloop reads one entry ahead.
  if (!ShapedType::isDynamic(room))
    ++room;
  Type i64 = builder.getI64Type();
  auto list =
      ListTilesOp::create(builder, loc, RankedTensorType::get(extents, i64),
                          RankedTensorType::get(room, i64), op.getMask(),
                          getValueOrCreateConstantIndexOp(builder, loc, sizes),
                          within.operands, bounds);
  LayoutPlan plan;
  plan.layout =
      LayoutAttr::get(op.getContext(), bounds.getRowTile(), bounds.getColTile(),
                      LayoutStorage::RunTime, {}, {}, {}, 1, 0, {}, {});
  plan.operands = {list.getRanges(), list.getEntries()};
  plan.rows = within.rows;
  plan.rows.areBounds = true;
  return plan;
}

//===----------------------------------------------------------------------===//
// Converts slices written into donated tensors to scatters, which update in
// place without copying the rest of the tensor.
//
//   1. A slice that is extracted, updated by a scatter and inserted again is a
//      scatter into the whole tensor (one layer of a cache for all layers).
//   2. A slice inserted into a donated argument, or into one that scatters have
//      updated, is a scatter. Dynamic offsets become indices.
//===----------------------------------------------------------------------===//

#include "stof/IR/Donation.h"
#include "stof/IR/Stof.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace stof {
#define GEN_PASS_DEF_SCATTERSLICESPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// The origin of `value` through scatters, reshapes and casts, which share its
/// memory.
static Value findFirst(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto scatter = dyn_cast<ScatterOp>(op))
      value = scatter.getOriginal();
    else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 tensor::CastOp>(op))
      value = op->getOperand(0);
    else
      break;
  }
  return value;
}

/// A dynamic offset as a tensor of rank 0.
static Value makeIndex(OpBuilder &builder, Location loc, Value offset) {
  Type element = builder.getI64Type();
  Value empty =
      tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), element);
  auto map = AffineMap::get(0, 0, builder.getContext());
  auto index = linalg::GenericOp::create(
      builder, loc, empty.getType(), ValueRange(), empty, map,
      ArrayRef<utils::IteratorType>(),
      [&](OpBuilder &inner, Location, ValueRange) {
        Value number = arith::IndexCastOp::create(inner, loc, element, offset);
        linalg::YieldOp::create(inner, loc, number);
      });
  return index.getResult(0);
}

/// Replaces `insert` by a scatter of its source, whose coordinates are the
/// dimensions that the slice keeps.
static void scatterSlice(tensor::InsertSliceOp insert) {
  OpBuilder builder(insert);
  Location loc = insert.getLoc();
  MLIRContext *context = insert.getContext();
  unsigned rank = insert.getSourceType().getRank();
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  auto term = [&](OpFoldResult size, SmallVector<Value> &indices) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return builder.getAffineConstantExpr(*known);
    indices.push_back(makeIndex(builder, loc, cast<Value>(size)));
    return builder.getAffineSymbolExpr(indices.size() - 1);
  };
  SmallVector<Value> indices;
  SmallVector<AffineExpr> position;
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(insert.getMixedOffsets())) {
    AffineExpr at = builder.getAffineConstantExpr(0);
    if (!dropped.test(dim))
      at = builder.getAffineDimExpr(next++) * insert.getStaticStride(dim);
    position.push_back(at + term(offset, indices));
  }
  SmallVector<AffineMap> maps(indices.size(), AffineMap::get(rank, 0, context));
  auto scatter = ScatterOp::create(
      builder, loc, insert.getType(), insert.getSource(), indices,
      insert.getDest(), builder.getAffineMapArrayAttr(maps),
      AffineMap::get(rank, indices.size(), position, context), true);
  Type element = insert.getType().getElementType();
  Block *body = builder.createBlock(&scatter.getCombine(), {},
                                    {element, element}, {loc, loc});
  YieldOp::create(builder, loc, body->getArgument(0));
  insert.replaceAllUsesWith(scatter.getResult());
  insert.erase();
}

/// Whether an index of `scatter` is out of bounds of `slice` if and only if it
/// is out of bounds of the whole tensor.
static bool endsWhereWholeDoes(ScatterOp scatter, tensor::ExtractSliceOp slice,
                               unsigned dim, AffineExpr at) {
  int64_t size = slice.getStaticSize(dim);
  if (ShapedType::isDynamic(size))
    return false;
  if (slice.getStaticOffset(dim) == 0 && slice.getStaticStride(dim) == 1 &&
      size == slice.getSourceType().getDimSize(dim))
    return true;
  auto coordinate = dyn_cast<AffineDimExpr>(at);
  if (!coordinate)
    return false;
  int64_t extent =
      scatter.getUpdatesType().getDimSize(coordinate.getPosition());
  return !ShapedType::isDynamic(extent) && extent <= size;
}

/// The position of `scatter`, which updates `slice`, in the source of the
/// slice; nothing if it would need the bounds of both.
static std::optional<AffineMap> findPosition(ScatterOp scatter,
                                             tensor::ExtractSliceOp slice) {
  if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticStrides()))
    return std::nullopt;
  Builder builder(scatter.getContext());
  AffineMap within = scatter.getPosition();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<AffineExpr> position;
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(slice.getStaticOffsets())) {
    AffineExpr at = builder.getAffineConstantExpr(0);
    if (!dropped.test(dim)) {
      at = within.getResult(next++);
      if (!endsWhereWholeDoes(scatter, slice, dim, at))
        return std::nullopt;
    }
    position.push_back(at * slice.getStaticStride(dim) + offset);
  }
  return AffineMap::get(within.getNumDims(), within.getNumSymbols(), position,
                        scatter.getContext());
}

/// Scatters into the whole tensor if `insert` writes back the slice that a
/// scatter has updated.
static void joinWhole(tensor::InsertSliceOp insert) {
  auto scatter = insert.getSource().getDefiningOp<ScatterOp>();
  auto slice =
      scatter ? scatter.getOriginal().getDefiningOp<tensor::ExtractSliceOp>()
              : tensor::ExtractSliceOp();
  if (!slice || slice.getSource() != insert.getDest() ||
      scatter->getBlock() != insert->getBlock() ||
      slice.getMixedOffsets() != insert.getMixedOffsets() ||
      slice.getMixedSizes() != insert.getMixedSizes() ||
      slice.getMixedStrides() != insert.getMixedStrides() ||
      slice.getDroppedDims() != insert.getDroppedDims())
    return;
  std::optional<AffineMap> position = findPosition(scatter, slice);
  if (!position)
    return;
  OpBuilder builder(scatter);
  auto joined = ScatterOp::create(builder, scatter.getLoc(), insert.getType(),
                                  scatter.getUpdates(), scatter.getIndices(),
                                  slice.getSource(), scatter.getIndexingMaps(),
                                  *position, scatter.getUnique(),
                                  scatter.getWrapped(), scatter.getChecked());
  joined.getCombine().takeBody(scatter.getCombine());
  IRMapping mapping;
  mapping.map(slice.getSource(), joined.getResult());
  Operation *after = builder.clone(*slice, mapping);
  scatter->replaceAllUsesWith(after);
  insert.replaceAllUsesWith(joined.getResult());
  insert.erase();
  scatter.erase();
}

namespace {

struct ScatterSlicesPass
    : stof::impl::ScatterSlicesPassBase<ScatterSlicesPass> {
  using Base::Base;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    auto donations = readDonations(function);
    if (failed(donations))
      return signalPassFailure();
    auto isDonated = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument &&
             llvm::is_contained(
                 *donations, std::optional<unsigned>(argument.getArgNumber()));
    };
    auto forEach = [&](llvm::function_ref<void(tensor::InsertSliceOp)> visit) {
      for (Block &block : function.getBody())
        for (auto insert :
             llvm::make_early_inc_range(block.getOps<tensor::InsertSliceOp>()))
          visit(insert);
    };
    forEach(joinWhole);
    forEach([&](tensor::InsertSliceOp insert) {
      if (isDonated(findFirst(insert.getDest())) &&
          !ShapedType::isDynamicShape(insert.getStaticStrides()))
        scatterSlice(insert);
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Lowering of tile loads and stores. The part of a tile, or of a block of its
// rows, in bounds is a rectangle, which is copied; the rest of a loaded tile is
// zero.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Tile/Blocks.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof::tile;

namespace {

/// The part of a tile that is in bounds of a buffer.
struct Inside {
  /// The subview of the buffer, with the dimensions of the tile in the order of
  /// the buffer.
  Value memory;
  /// The sizes of the part, in the order of the tile.
  SmallVector<OpFoldResult> sizes;
  /// The dimension of the tile for each dimension of `memory`.
  SmallVector<int64_t> dims;
};

/// Finds the part of `buffer` that a tile of `shape` at `indices` covers; empty
/// if `condition` (null for true) is false.
Inside findInside(OpBuilder &builder, Location loc, Value buffer,
                  ValueRange indices, ArrayRef<int64_t> along,
                  ArrayRef<int64_t> shape, Value condition = {}) {
  auto type = cast<MemRefType>(buffer.getType());
  OpFoldResult one = builder.getIndexAttr(1);
  Inside inside;
  inside.sizes.resize(shape.size());
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(indices);
  SmallVector<OpFoldResult> sizes(type.getRank(), one);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    auto *position = llvm::find(along, dim);
    if (position == along.end())
      continue;
    int64_t ofTile = position - along.begin();
    Value size = memref::DimOp::create(builder, loc, buffer, dim);
    Value left = arith::SubIOp::create(builder, loc, size, indices[dim]);
    Value whole = arith::ConstantIndexOp::create(builder, loc, shape[ofTile]);
    Value part = arith::MinSIOp::create(builder, loc, left, whole);
    part = arith::MaxSIOp::create(builder, loc, part, zero);
    if (condition)
      part = arith::SelectOp::create(builder, loc, condition, part, zero);
    sizes[dim] = inside.sizes[ofTile] = part;
    inside.dims.push_back(ofTile);
    kept.push_back(ShapedType::kDynamic);
  }
  SmallVector<OpFoldResult> strides(type.getRank(), one);
  MemRefType partType = memref::SubViewOp::inferRankReducedResultType(
      kept, type, offsets, sizes, strides);
  inside.memory = memref::SubViewOp::create(builder, loc, partType, buffer,
                                            offsets, sizes, strides);
  return inside;
}

void copy(OpBuilder &builder, Location loc, Value from, AffineMap fromMap,
          Value to, AffineMap toMap) {
  SmallVector<utils::IteratorType> kinds(fromMap.getNumDims(),
                                         utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, loc, from, to, ArrayRef{fromMap, toMap}, kinds,
      [](OpBuilder &inner, Location at, ValueRange elements) {
        linalg::YieldOp::create(inner, at, elements.front());
      });
}

AffineMap getTileMap(Builder &builder, const Inside &inside) {
  return builder.getMultiDimIdentityMap(inside.dims.size());
}

/// Maps coordinates of the tile to those of the memory.
AffineMap getMemoryMap(Builder &builder, const Inside &inside) {
  SmallVector<AffineExpr> exprs = llvm::map_to_vector(
      inside.dims, [&](int64_t dim) { return builder.getAffineDimExpr(dim); });
  return AffineMap::get(inside.dims.size(), 0, exprs, builder.getContext());
}

/// The subview of `tile` that corresponds to `inside`, from `firstRow` on.
Value getPart(OpBuilder &builder, Location loc, Value tile,
              const Inside &inside, int64_t firstRow = 0) {
  SmallVector<OpFoldResult> first(inside.sizes.size(), builder.getIndexAttr(0)),
      ones(inside.sizes.size(), builder.getIndexAttr(1));
  first.front() = builder.getIndexAttr(firstRow);
  return memref::SubViewOp::create(builder, loc, tile, first, inside.sizes,
                                   ones);
}

struct ConvertLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(
        getTypeConverter()->convertType(op.getResult().getType()));
    Type element = type.getElementType();
    Value tile = memref::AllocOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), element));
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
    linalg::FillOp::create(rewriter, loc, zero, tile);
    int64_t blocks = op.getBlocks(), rows = type.getShape().front() / blocks;
    SmallVector<int64_t> shape(type.getShape());
    shape.front() = rows;
    for (int64_t number = 0; number < blocks; ++number) {
      SmallVector<Value> indices = getBlockIndices(
          adaptor.getIndices(), op.getAlong().front(), blocks, number);
      Inside inside = findInside(rewriter, loc, adaptor.getSource(), indices,
                                 op.getAlong(), shape, op.getCondition());
      copy(rewriter, loc, inside.memory, getMemoryMap(rewriter, inside),
           getPart(rewriter, loc, tile, inside, number * rows),
           getTileMap(rewriter, inside));
    }
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        op, type, tile, /*restrict=*/true, /*writable=*/true);
    return success();
  }
};

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(adaptor.getTile().getType());
    Value tile = bufferization::ToBufferOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        adaptor.getTile(), /*read_only=*/true);
    Inside inside =
        findInside(rewriter, loc, adaptor.getDestination(),
                   adaptor.getIndices(), op.getAlong(), type.getShape());
    copy(rewriter, loc, getPart(rewriter, loc, tile, inside),
         getTileMap(rewriter, inside), inside.memory,
         getMemoryMap(rewriter, inside));
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertEmpty : OpConversionPattern<EmptyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(EmptyOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SharedType type = op.getResult().getType();
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, type.getShape(),
                                                 type.getElementType());
    return success();
  }
};

/// Loads are synchronous on a CPU.
struct ConvertAwait : OpConversionPattern<AwaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AwaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getTiles());
    return success();
  }
};

struct ConvertClaim : OpConversionPattern<ClaimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClaimOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value counter = adaptor.getCounter();
    Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    SmallVector<Value> first(cast<MemRefType>(counter.getType()).getRank(),
                             zero);
    Value number = memref::AtomicRMWOp::create(
        rewriter, loc, arith::AtomicRMWKind::addi, one, counter, first);
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), number);
    return success();
  }
};
} // namespace

void stof::tile::populateTileMemoryPatterns(RewritePatternSet &patterns,
                                            const TypeConverter &converter) {
  patterns
      .add<ConvertLoad, ConvertStore, ConvertEmpty, ConvertAwait, ConvertClaim>(
          converter, patterns.getContext());
}

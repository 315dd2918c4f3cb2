//===----------------------------------------------------------------------===//
// Lowers `tile.convert` and `tile.slice`. A conversion to shared memory stores
// the elements of each thread; a conversion between layouts stores,
// synchronises and loads. `#tile.mma` becomes `#tile.mma_runs` by shuffles
// among four lanes.
//===----------------------------------------------------------------------===//

#include "FragmentAccess.h"
#include "MemoryInstructions.h"
#include "Patterns.h"
#include "Shuffle.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace stof::tile;

/// Calls `access` for each group of contiguous elements of a fragment in a
/// shared tile at `offset`, with their address.
static void
moveShared(OpBuilder &builder, Location loc, FragmentType type, Value offset,
           const SharedLayout &layout,
           function_ref<void(const ElementRun &run, Value address)> access) {
  TileCoordinates coordinates(builder, loc, type.getLayout(), type.getShape());
  unsigned last = type.getShape().size() - 1;
  int64_t bytes = layout.getElementBytes();
  int64_t count =
      getAdjacentElements(type, coordinates, last, maxAccessBytes / bytes);
  for (const ElementRun &run : makeRuns(type, coordinates, last, count)) {
    Coordinate row = last == 0 ? Coordinate() : run.coordinates[0];
    Coordinate column = run.coordinates[last];
    column.thread = mulI32(builder, loc, column.thread, bytes);
    column.constant *= bytes;
    access(run, layout.getAddress(builder, loc, offset, row, column));
  }
}

/// Transposes values among the four lanes of a row: value `i` of lane `t`
/// becomes value `t` of lane `i`. Each of two steps exchanges half of the
/// values with another lane.
static void transposeInQuad(OpBuilder &builder, Location loc, Value lane,
                            MutableArrayRef<Value> values) {
  for (int64_t bit : {1, 2}) {
    Value masked = arith::AndIOp::create(builder, loc, lane,
                                         constantI32(builder, loc, bit));
    Value isUpper =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked,
                              constantI32(builder, loc, 0));
    for (int64_t low : {0, 1, 2, 3}) {
      if (low & bit)
        continue;
      Value &first = values[low], &second = values[low + bit];
      Value sent =
          arith::SelectOp::create(builder, loc, isUpper, first, second);
      Value received = shuffle(builder, loc, sent, bit);
      Value kept = first;
      first = arith::SelectOp::create(builder, loc, isUpper, received, kept);
      second = arith::SelectOp::create(builder, loc, isUpper, second, received);
    }
  }
}

/// Words of two adjacent elements if these have 16 bits, else the elements.
static SmallVector<Value> joinPair(OpBuilder &builder, Location loc,
                                   ArrayRef<Value> pair) {
  Type type = pair.front().getType();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() != 16)
    return SmallVector<Value>(pair);
  Value both = vector::FromElementsOp::create(
      builder, loc, VectorType::get(static_cast<int64_t>(pair.size()), type),
      pair);
  return {LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), both)};
}

/// The reverse of `joinPair`, for elements of `type`.
static SmallVector<Value> splitPair(OpBuilder &builder, Location loc, Type type,
                                    ArrayRef<Value> words, int64_t count) {
  if (static_cast<int64_t>(words.size()) == count)
    return SmallVector<Value>(words);
  Value both = LLVM::BitcastOp::create(
      builder, loc, VectorType::get(count, type), words.front());
  return vector::ToElementsOp::create(builder, loc, both).getResults();
}

/// Converts elements from `#tile.mma` to `#tile.mma_runs`.
static SmallVector<Value> exchange(OpBuilder &builder, Location loc,
                                   FragmentType source, FragmentType result,
                                   ArrayRef<Value> elements) {
  constexpr int64_t lanes = 4, pair = 2;
  LayoutInterface from = source.getLayout(), to = result.getLayout();
  assert(isa<MmaAttr>(from) && isa<MmaRunsAttr>(to) &&
         "other layouts are exchanged in shared memory");
  ArrayRef<int64_t> shape = source.getShape();
  Value lane = ThreadPosition::get(builder, loc).lane;
  SmallVector<Value> moved(elements.size());
  auto exchangeRun = [&](int64_t row, int64_t run) {
    // Per MMA tile, the words or the elements of its pair.
    SmallVector<SmallVector<Value>> parts;
    for (int64_t mmaTile = 0; mmaTile < lanes; ++mmaTile) {
      SmallVector<Value> both;
      for (int64_t half = 0; half < pair; ++half)
        both.push_back(elements[from.getRegister(
            shape, {row, run + mmaTile * pair + half})]);
      parts.push_back(joinPair(builder, loc, both));
    }
    for (size_t part = 0; part < parts.front().size(); ++part) {
      auto values = llvm::map_to_vector(
          parts, [&](ArrayRef<Value> words) { return words[part]; });
      transposeInQuad(builder, loc, lane, values);
      for (auto [words, value] : llvm::zip_equal(parts, values))
        words[part] = value;
    }
    for (auto [other, words] : llvm::enumerate(parts))
      for (auto [half, value] : llvm::enumerate(
               splitPair(builder, loc, source.getElementType(), words, pair)))
        moved[to.getRegister(
            shape, {row, static_cast<int64_t>(run + other * pair + half)})] =
            value;
  };
  for (int64_t row = 0; row < from.getRegistersAlong(0, shape[0]); ++row)
    for (int64_t run = 0; run < from.getRegistersAlong(1, shape[1]);
         run += lanes * pair)
      exchangeRun(row, run);
  return moved;
}

namespace {
struct LowerConvert : OpConversionPattern<ConvertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConvertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragmentType source = op.getSource().getType();
    SmallVector<Value> elements =
        unpackElements(rewriter, loc, source, adaptor.getSource());
    SharedType shared = op.getSharedType();
    if (!shared) {
      auto result = cast<FragmentType>(op.getResult().getType());
      rewriter.replaceOpWithMultiple(
          op,
          {packElements(rewriter, loc, result,
                        exchange(rewriter, loc, source, result, elements))});
      return success();
    }
    Value offset = getSharedOffset(rewriter, op);
    SharedLayout layout(shared);
    moveShared(rewriter, loc, source, offset, layout,
               [&](const ElementRun &run, Value address) {
                 SmallVector<Value> values;
                 for (int64_t number : run.elements)
                   values.push_back(elements[number]);
                 storeElements(rewriter, loc, values, address);
               });
    auto result = dyn_cast<FragmentType>(op.getResult().getType());
    if (!result) {
      rewriter.replaceOp(op, offset);
      return success();
    }
    createBarrier(rewriter, loc);
    SmallVector<Value> moved(getNumElements(result));
    moveShared(rewriter, loc, result, offset, layout,
               [&](const ElementRun &run, Value address) {
                 SmallVector<Value> values =
                     loadElements(rewriter, loc, result.getElementType(),
                                  address, run.elements.size());
                 for (auto [number, value] : llvm::zip(run.elements, values))
                   moved[number] = value;
               });
    rewriter.replaceOpWithMultiple(
        op, {packElements(rewriter, loc, result, moved)});
    return success();
  }
};
} // namespace

namespace {
struct LowerSlice : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragmentType source = op.getSource().getType();
    FragmentType result = op.getResult().getType();
    LayoutInterface layout = source.getLayout();
    SmallVector<Value> elements =
        unpackElements(rewriter, op.getLoc(), source, adaptor.getSource());
    int64_t first = layout.getRegistersAlong(1, op.getColumn());
    SmallVector<Value> taken(getNumElements(result));
    forEachElement(result, [&](ArrayRef<int64_t> indices, int64_t element) {
      taken[element] = elements[layout.getRegister(
          source.getShape(), {indices[0], indices[1] + first})];
    });
    rewriter.replaceOpWithMultiple(
        op, {packElements(rewriter, op.getLoc(), result, taken)});
    return success();
  }
};
} // namespace

void stof::tile::populateConvertPatterns(const DeviceTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerConvert, LowerSlice>(converter, patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Lowers `tile.splat`, `tile.map`, `tile.visit` and selects of tiles element by
// element, and `tile.extract` in their bodies to loads from shared memory.
//===----------------------------------------------------------------------===//

#include "MapBody.h"
#include "MemoryInstructions.h"
#include "Patterns.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stof::tile;

namespace {
struct LowerSplat : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplatOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FragmentType type = op.getResult().getType();
    SmallVector<Value> elements(getNumElements(type),
                                adaptor.getValue().front());
    rewriter.replaceOpWithMultiple(
        op, {packElements(rewriter, op.getLoc(), type, elements)});
    return success();
  }
};

struct LowerMap : OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<FragmentType>(op.getResult(0).getType());
    TileCoordinates coordinates(rewriter, loc, type.getLayout(),
                                type.getShape());
    SmallVector<SmallVector<Value>> inputs;
    for (auto [input, registers] :
         llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
      inputs.push_back(unpackElements(
          rewriter, loc, cast<FragmentType>(input.getType()), registers));

    SmallVector<SmallVector<Value>> results(
        op.getNumResults(), SmallVector<Value>(getNumElements(type)));
    forEachElement(type, [&](ArrayRef<int64_t> indices, int64_t element) {
      SmallVector<Coordinate> here;
      for (auto [dim, index] : llvm::enumerate(indices))
        here.push_back(coordinates.get(dim, index));
      SmallVector<Value> arguments;
      for (auto [input, elements] : llvm::zip_equal(op.getInputs(), inputs))
        arguments.push_back(elements[getElementOf(
            cast<FragmentType>(input.getType()), type, indices, element)]);
      for (auto [number, value] : llvm::enumerate(
               copyMapBody(rewriter, op.getBody(), here, arguments)))
        results[number][element] = value;
    });
    SmallVector<SmallVector<Value>> registers;
    for (auto [result, elements] : llvm::zip_equal(op.getResults(), results))
      registers.push_back(packElements(
          rewriter, loc, cast<FragmentType>(result.getType()), elements));
    rewriter.replaceOpWithMultiple(op, std::move(registers));
    return success();
  }

private:
  /// The index of the input element for `element` of the result.
  static int64_t getElementOf(FragmentType input, FragmentType result,
                              ArrayRef<int64_t> indices, int64_t element) {
    if (input.getLayout() == result.getLayout())
      return element;
    auto slice = cast<SliceAttr>(input.getLayout());
    return slice.getRegister(input.getShape(), indices[1 - slice.getDim()]);
  }
};

struct LowerVisit : OpConversionPattern<VisitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(VisitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = FragmentType::get(op.getContext(), op.getShape(),
                                  rewriter.getI1Type(), op.getLayout());
    TileCoordinates coordinates(rewriter, op.getLoc(), op.getLayout(),
                                op.getShape());
    forEachElement(type, [&](ArrayRef<int64_t> indices, int64_t) {
      SmallVector<Coordinate> here;
      for (auto [dim, index] : llvm::enumerate(indices))
        here.push_back(coordinates.get(dim, index));
      copyMapBody(rewriter, op.getBody(), here, {});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerExtract : OpConversionPattern<ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ExtractOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SharedType type = op.getTile().getType();
    SharedLayout layout(type);
    auto toWord = [&](Value index) {
      return arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(),
                                        index);
    };
    Coordinate row, column;
    row.thread = toWord(adaptor.getRow());
    column.thread = mulI32(rewriter, loc, toWord(adaptor.getColumn()),
                           layout.getElementBytes());
    Value address =
        layout.getAddress(rewriter, loc, adaptor.getTile(), row, column);
    rewriter.replaceOp(
        op, loadElements(rewriter, loc, type.getElementType(), address, 1));
    return success();
  }
};

/// Canonicalisation converts an `scf.if` without effects to a select of tiles.
struct LowerSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> chosen;
    for (auto [onTrue, onFalse] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      chosen.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                               adaptor.getCondition().front(),
                                               onTrue, onFalse));
    rewriter.replaceOpWithMultiple(op, {chosen});
    return success();
  }
};
} // namespace

void stof::tile::populateMapPatterns(const DeviceTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<LowerSplat, LowerMap, LowerVisit, LowerExtract, LowerSelect>(
      converter, patterns.getContext());
}

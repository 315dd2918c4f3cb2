//===----------------------------------------------------------------------===//
// Expands `tile.convert`. Into shared memory each thread writes what it holds;
// from layout to layout it writes, waits for the others and reads its own part.
//===----------------------------------------------------------------------===//

#include "FragmentAccess.h"
#include "MemoryInstructions.h"
#include "Patterns.h"
#include "SharedLayout.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace stof::tile;

/// Calls `access` with the runs of elements of a fragment that are adjacent in
/// `layout`, a tile's place in shared memory, and their addresses.
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
    Value offset = getSharedOffset(rewriter, op);
    SharedLayout layout(getSharedRoom(source));
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
    gpu::BarrierOp::create(rewriter, loc);
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

void stof::tile::populateConvertPatterns(const DeviceTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerConvert>(converter, patterns.getContext());
}

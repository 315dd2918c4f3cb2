//===----------------------------------------------------------------------===//
// A plugin with tile operations of another dialect. Each tells how it uses
// shared memory and how it is lowered; no pass knows it.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/TileToNVVM/PatternInterface.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "TestTilesDialect.h.inc"

#define GET_OP_CLASSES
#include "TestTiles.h.inc"

using namespace mlir;
using namespace stof::tile;
using namespace test_tiles;

#include "TestTilesDialect.cpp.inc"

#define GET_OP_CLASSES
#include "TestTiles.cpp.inc"

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

using Kind = SharedAccess::Kind;

int64_t ReverseOp::getSharedBytes() {
  FragmentType type = getSource().getType();
  return type.getShape()[0] * getElementBytes(type.getElementType());
}

void ReverseOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &accesses) {
  accesses.append({{Kind::Write, {}}, {Kind::Read, {}}});
}

bool ReverseOp::synchronizes() { return true; }

void TransposeOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &accesses) {
  accesses.append({{Kind::Read, getSource()}, {Kind::Write, getResult()}});
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

namespace {
struct LowerReverse : OpConversionPattern<ReverseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReverseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragmentType type = op.getSource().getType();
    int64_t bytes = getElementBytes(type.getElementType());
    Value offset = getSharedOffset(rewriter, op);
    TileCoordinates coordinates(rewriter, loc, type.getLayout(),
                                type.getShape());
    auto getPointer = [&](Value coordinate) {
      Value byte = mulI32(rewriter, loc, coordinate, bytes);
      return getSharedPointer(rewriter, loc,
                              addI32(rewriter, loc, offset, byte), 0);
    };
    SmallVector<Value> elements =
        unpackElements(rewriter, loc, type, adaptor.getSource());
    forEachElement(type, [&](ArrayRef<int64_t> indices, int64_t element) {
      Value at = asI32(rewriter, loc, coordinates.get(0, indices[0]));
      LLVM::StoreOp::create(rewriter, loc, elements[element], getPointer(at));
    });
    gpu::BarrierOp::create(rewriter, loc);
    Value last = constantI32(rewriter, loc, type.getShape()[0] - 1);
    forEachElement(type, [&](ArrayRef<int64_t> indices, int64_t element) {
      Value at = asI32(rewriter, loc, coordinates.get(0, indices[0]));
      Value from = arith::SubIOp::create(rewriter, loc, last, at);
      elements[element] = LLVM::LoadOp::create(
          rewriter, loc, type.getElementType(), getPointer(from));
    });
    rewriter.replaceOpWithMultiple(
        op, {packElements(rewriter, loc, type, elements)});
    return success();
  }
};

struct LowerTranspose : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TransposeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SharedType source = op.getSource().getType();
    SharedLayout from(source), to(op.getResult().getType());
    int64_t rows = source.getShape()[0], columns = source.getShape()[1];
    Value offset = getSharedOffset(rewriter, op);
    auto loop = scf::ForOp::create(
        rewriter, loc, ThreadPosition::get(rewriter, loc).thread,
        constantI32(rewriter, loc, rows * columns),
        constantI32(rewriter, loc, getNumThreads(op)));
    OpBuilder inner(loop.getBody()->getTerminator());
    Coordinate row, column;
    row.thread = divI32(inner, loc, loop.getInductionVar(), columns);
    column.thread = remI32(inner, loc, loop.getInductionVar(), columns);
    auto inBytes = [&](Coordinate coordinate) {
      coordinate.thread =
          mulI32(inner, loc, coordinate.thread, from.getElementBytes());
      return coordinate;
    };
    Value element = LLVM::LoadOp::create(
        inner, loc, source.getElementType(),
        from.getAddress(inner, loc, adaptor.getSource().front(), row,
                        inBytes(column)));
    LLVM::StoreOp::create(
        inner, loc, element,
        to.getAddress(inner, loc, offset, column, inBytes(row)));
    rewriter.replaceOp(op, offset);
    return success();
  }
};

struct TestTilesToNVVM : TileToNVVMPatternInterface {
  using TileToNVVMPatternInterface::TileToNVVMPatternInterface;
  void populateTileToNVVMPatterns(const DeviceTypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  ConversionTarget &target) const override {
    patterns.add<LowerReverse, LowerTranspose>(converter,
                                               patterns.getContext());
    target.addIllegalDialect<TestTilesDialect>();
  }
};
} // namespace

void TestTilesDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TestTiles.cpp.inc"
      >();
  addInterfaces<TestTilesToNVVM>();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "TestTiles", "1",
      [](DialectRegistry *registry) { registry->insert<TestTilesDialect>(); }};
}

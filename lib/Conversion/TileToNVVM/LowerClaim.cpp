//===----------------------------------------------------------------------===//
// Lowers claims. One thread takes the next number of the counter and stores it
// in shared memory, where the others read it: after a barrier, or through a
// channel.
//
//   send_claim      the first warp waits until empty has completed the phase
//                   before this one, its first lane takes a number, and all of
//                   its lanes arrive at full
//   receive_claim   wait until full has completed this phase, and read
//===----------------------------------------------------------------------===//

#include "ChannelStage.h"
#include "Patterns.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;
using namespace stof::tile;

/// Lets the calling thread take the next number of `counter`, and store it in
/// shared memory. What other threads do with the number orders nothing else in
/// global memory.
static void takeNumber(OpBuilder &builder, Location loc, Value counter,
                       Value shared) {
  auto pointer = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, counter);
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  address = LLVM::IntToPtrOp::create(builder, loc, pointer, address);
  Value number = LLVM::AtomicRMWOp::create(
      builder, loc, LLVM::AtomicBinOp::add, address,
      constantI32(builder, loc, 1), LLVM::AtomicOrdering::monotonic,
      /*syncscope=*/"device");
  LLVM::StoreOp::create(builder, loc, number, shared);
}

/// The number in shared memory (index); the same register in all lanes, as the
/// bounds of loops with wgmma need.
static Value readNumber(OpBuilder &builder, Location loc, Value shared) {
  Value number =
      LLVM::LoadOp::create(builder, loc, builder.getI32Type(), shared);
  number = NVVM::ShflOp::create(
      builder, loc, number.getType(), constantI32(builder, loc, -1), number,
      constantI32(builder, loc, 0), constantI32(builder, loc, lanesPerWarp - 1),
      NVVM::ShflKind::idx, UnitAttr());
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      number);
}

namespace {
struct LowerClaim : OpConversionPattern<ClaimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ClaimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value shared =
        getSharedPointer(rewriter, loc, getSharedOffset(rewriter, op), 0);
    OpBuilder first =
        enterFirst(rewriter, loc, ThreadPosition::get(rewriter, loc).thread);
    takeNumber(first, loc, adaptor.getCounter().front(), shared);
    createBarrier(rewriter, loc);
    rewriter.replaceOp(op, readNumber(rewriter, loc, shared));
    return success();
  }
};

struct LowerSendClaim : OpConversionPattern<SendClaimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SendClaimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ThreadPosition position = ThreadPosition::get(rewriter, loc);
    ChannelStage stage = ChannelStage::of(rewriter, op, adaptor);
    Value full = stage.getFull(), empty = stage.getEmpty();
    Value shared = getSharedPointer(rewriter, loc, stage.getTile(), 0);
    OpBuilder warp = enterFirst(rewriter, loc, position.warp);
    stage.wait(warp, empty, /*before=*/true);
    OpBuilder lane = enterFirst(warp, loc, position.lane);
    takeNumber(lane, loc, adaptor.getCounter().front(), shared);
    // The others do not wait for the number before it is there: in a loop of
    // their own, they could keep the first lane from going on.
    NVVM::SyncWarpOp::create(warp, loc, constantI32(warp, loc, -1));
    arrive(warp, loc, full);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReceiveClaim : OpConversionPattern<ReceiveClaimOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReceiveClaimOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ChannelStage stage = ChannelStage::of(rewriter, op, adaptor);
    stage.wait(rewriter, stage.getFull(), /*before=*/false);
    Value shared = getSharedPointer(rewriter, loc, stage.getTile(), 0);
    rewriter.replaceOp(op, readNumber(rewriter, loc, shared));
    return success();
  }
};
} // namespace

void stof::tile::populateClaimPatterns(const DeviceTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerClaim, LowerSendClaim, LowerReceiveClaim>(
      converter, patterns.getContext());
}

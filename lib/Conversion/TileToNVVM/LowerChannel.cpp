//===----------------------------------------------------------------------===//
// Lowers channels.
//
// Each stage has two barriers of shared memory (PTX ISA, "mbarrier"). Its full
// barrier counts the threads that have loaded their part of a tile, its empty
// barrier the warps that have released one. Tile n is the (n / stages)-th in
// its stage, which is a phase of both; a barrier that is new completes the wait
// for the phase before the first, hence all stages start out empty:
//
//   send      wait until empty has completed phase n / stages - 1, load,
//             arrive at full when the loads of the thread are complete; with
//             a tensor map, full also counts the bytes that have arrived
//   receive   wait until full has completed phase n / stages
//   release   arrive at empty
//===----------------------------------------------------------------------===//

#include "ChannelStage.h"
#include "Patterns.h"
#include "SharedCopy.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Blocks.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;
using namespace stof::tile;

/// A predicate that holds, which ptxas knows only once the middle one of
/// `elements` (f32) has been computed; null without elements. No arithmetic has
/// this NaN as its result.
static Value isComputed(OpBuilder &builder, Location loc, ValueRange elements) {
  constexpr int64_t otherNaN = 0x7fadbeef;
  if (elements.empty())
    return {};
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(),
                                        elements[elements.size() / 2]);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits,
                               constantI32(builder, loc, otherNaN));
}

namespace {
struct LowerChannel : OpConversionPattern<ChannelOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ChannelOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ChannelType type = op.getChannel().getType();
    Value offset = getSharedOffset(rewriter, op);
    OpBuilder first =
        enterFirst(rewriter, loc, ThreadPosition::get(rewriter, loc).thread);
    Value senders = constantI32(
        first, loc, op.getBulk() ? 1 : op.getSenders() * lanesPerWarp);
    Value receivers = constantI32(first, loc, op.getReceivers());
    for (int64_t number = 0; number < type.getStages(); ++number) {
      ChannelStage stage(first, loc, type, offset, number);
      NVVM::MBarrierInitOp::create(first, loc, stage.getFull(), senders,
                                   /*predicate=*/Value());
      NVVM::MBarrierInitOp::create(first, loc, stage.getEmpty(), receivers,
                                   /*predicate=*/Value());
    }
    // Copies by the hardware arrive at the barriers, too.
    if (op.getBulk())
      NVVM::FenceProxyOp::create(
          first, loc, NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(op.getContext(),
                                     NVVM::SharedSpace::shared_cta));
    rewriter.replaceOp(op, offset);
    return success();
  }
};

struct LowerSend : OpConversionPattern<SendOp> {
  LowerSend(const TypeConverter &converter, MLIRContext *context,
            const AccessDivisors &divisors)
      : OpConversionPattern(converter, context), divisors(divisors) {}

  LogicalResult
  matchAndRewrite(SendOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ChannelType type = op.getChannel().getType();
    ChannelStage stage = ChannelStage::of(rewriter, op, adaptor);
    if (op.getMap()) {
      copyByMap(rewriter, op, adaptor, stage);
      rewriter.eraseOp(op);
      return success();
    }
    stage.wait(rewriter, stage.getEmpty(), /*before=*/true);
    std::vector<GlobalTile> memory =
        getBlocks(rewriter, loc, adaptor.getSource().front(),
                  getSingleValues(adaptor.getIndices()), op.getAlong(),
                  type.getTile().getShape(), op.getBlocks(), divisors.get(op));
    bool async =
        copyToShared(rewriter, loc, memory, type.getTile(), stage.getTile(),
                     /*condition=*/Value(), getNumThreads(op));
    if (async)
      NVVM::CpAsyncMBarrierArriveOp::create(rewriter, loc, stage.getFull(),
                                            /*noinc=*/true);
    else
      arrive(rewriter, loc, stage.getFull());
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Lets the hardware copy the tile, 128 bytes of each row of a block at a
  /// time; the barrier of the stage counts the bytes. The other lanes do not
  /// wait for it: in loops of their own, they could keep the first from going
  /// on, and other warps could be lapped by two phases, of which they see only
  /// the parity.
  static void copyByMap(OpBuilder &builder, SendOp op, OneToNOpAdaptor adaptor,
                        const ChannelStage &stage) {
    Location loc = op.getLoc();
    SharedType tile = op.getChannel().getType().getTile();
    SharedLayout layout(tile);
    Value full = stage.getFull(), offset = stage.getTile();
    Value empty = stage.getEmpty();
    OpBuilder first =
        enterFirst(builder, loc, ThreadPosition::get(builder, loc).thread);
    stage.wait(first, empty, /*before=*/true);
    NVVM::MBarrierArriveExpectTxOp::create(
        first, loc, /*res=*/Type(), full,
        constantI32(first, loc, tile.getSizeInBytes()), NVVM::MemScopeKind::CTA,
        /*relaxed=*/false, /*predicate=*/Value());
    Value map = UnrealizedConversionCastOp::create(
                    first, loc, LLVM::LLVMPointerType::get(op.getContext()),
                    adaptor.getMap().front())
                    .getResult(0);
    auto cluster = LLVM::LLVMPointerType::get(
        op.getContext(),
        static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    int64_t columns =
        layout.getPanelBytes() / tile.getShape()[0] / layout.getElementBytes();
    int64_t blocks = op.getBlocks();
    SmallVector<Value> all = getSingleValues(adaptor.getIndices());
    for (int64_t block = 0; block < blocks; ++block) {
      // Coordinates of a map start with the contiguous dimension.
      SmallVector<Value> indices;
      for (Value index :
           llvm::reverse(getBlockIndices(all, op.getAlong()[0], blocks, block)))
        indices.push_back(
            arith::IndexCastOp::create(first, loc, first.getI32Type(), index));
      for (int64_t panel = 0; panel < layout.getNumPanels(); ++panel) {
        SmallVector<Value> coordinates = indices;
        coordinates.front() =
            addI32(first, loc, coordinates.front(), panel * columns);
        int64_t byte = layout.getPanelBytes() * panel +
                       layout.getPanelBytes() / blocks * block;
        Value to = getSharedPointer(first, loc, offset, byte);
        to = LLVM::AddrSpaceCastOp::create(first, loc, cluster, to);
        NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
            first, loc, to, map, coordinates, full,
            /*im2colOffsets=*/ValueRange(),
            /*multicastMask=*/Value(), /*l2CacheHint=*/Value(),
            NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
            NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
      }
    }
  }

  const AccessDivisors &divisors;
};

struct LowerReceive : OpConversionPattern<ReceiveOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReceiveOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ChannelStage stage = ChannelStage::of(rewriter, op, adaptor);
    stage.wait(rewriter, stage.getFull(), /*before=*/false);
    rewriter.replaceOp(op, stage.getTile());
    return success();
  }
};

struct LowerRelease : OpConversionPattern<ReleaseOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ReleaseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ChannelStage stage = ChannelStage::of(rewriter, op, adaptor);
    // One lane arrives for its warp, whose lanes have all read the tile then.
    NVVM::SyncWarpOp::create(rewriter, loc, constantI32(rewriter, loc, -1));
    Value lane = ThreadPosition::get(rewriter, loc).lane;
    Value isFirst =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lane,
                              constantI32(rewriter, loc, 0));
    isFirst = andConditions(rewriter, loc, isFirst,
                            isComputed(rewriter, loc, adaptor.getAfter()));
    // A predicated instruction with its address in a register. After a branch,
    // or with a constant address, ptxas takes threads for divergent: it keeps
    // the numbers of stages in vector registers then, and computes a descriptor
    // there before each wgmma.
    NVVM::InlinePtxOp::create(
        rewriter, loc, TypeRange(), stage.getEmpty(), ValueRange(),
        "mbarrier.arrive.shared::cta.b64 _, [$0];", isFirst);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void stof::tile::populateChannelPatterns(const DeviceTypeConverter &converter,
                                         const AccessDivisors &divisors,
                                         RewritePatternSet &patterns) {
  patterns.add<LowerChannel, LowerReceive, LowerRelease>(converter,
                                                         patterns.getContext());
  patterns.add<LowerSend>(converter, patterns.getContext(), divisors);
}

//===----------------------------------------------------------------------===//
// Lowers the roles of warps, and the turns of groups of consumers. The turn of
// a group begins when its own threads and those of the group before it are at
// the barrier of its turn; the latter do not wait there.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;
using namespace stof::tile;

/// Gives the turn to `group` (i32).
static void giveTurn(OpBuilder &builder, Location loc, Value group) {
  BarrierOperands turn = getTurnBarrier(builder, loc, group);
  NVVM::BarrierArriveOp::create(builder, loc, turn.id, turn.threads);
}

namespace {
struct LowerConsumerGroup : OpConversionPattern<ConsumerGroupOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConsumerGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::IndexCastUIOp>(
        op, rewriter.getIndexType(), getGroup(rewriter, op.getLoc()));
    return success();
  }
};

struct LowerBeginTurn : OpConversionPattern<BeginTurnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(BeginTurnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    createBarrier(rewriter, loc,
                  getTurnBarrier(rewriter, loc, getGroup(rewriter, loc)));
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerEndTurn : OpConversionPattern<EndTurnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(EndTurnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t groups = getNumGroups(op->getBlock());
    Value next = addI32(rewriter, loc, getGroup(rewriter, loc), 1);
    giveTurn(rewriter, loc, remI32(rewriter, loc, next, groups));
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void stof::tile::populateRolePatterns(const DeviceTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<LowerConsumerGroup, LowerBeginTurn, LowerEndTurn>(
      converter, patterns.getContext());
}

/// Gives the first turn to group 0, for the last group.
static void giveFirstTurn(WarpSpecializeOp op) {
  OpBuilder builder = OpBuilder::atBlockBegin(&op.getConsumers().front());
  Location loc = op.getLoc();
  Value isLast = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, getGroup(builder, loc),
      constantI32(builder, loc, op.getConsumerGroups() - 1));
  auto branch = scf::IfOp::create(builder, loc, isLast);
  OpBuilder last = branch.getThenBodyBuilder();
  giveTurn(last, loc, constantI32(last, loc, 0));
}

/// Moves the operations of `region` to the insertion point.
static void moveRole(OpBuilder &builder, Region &region,
                     std::optional<int64_t> registers,
                     NVVM::SetMaxRegisterAction action) {
  if (registers)
    NVVM::SetMaxRegisterOp::create(builder, region.getLoc(), *registers,
                                   action);
  region.front().getTerminator()->erase();
  Block *block = builder.getInsertionBlock();
  block->getOperations().splice(builder.getInsertionPoint(),
                                region.front().getOperations());
}

void stof::tile::lowerWarpSpecialize(WarpSpecializeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  if (op.getConsumerGroups() > 1)
    giveFirstTurn(op);
  // Barriers of channels are initialised before any thread waits for them.
  gpu::BarrierOp::create(builder, loc);
  // The warp is that of lane 0: uniform, as ptxas has to see for wgmma.
  Value warp = ThreadPosition::get(builder, loc).warp;
  warp = NVVM::ShflOp::create(
      builder, loc, warp.getType(), constantI32(builder, loc, -1), warp,
      constantI32(builder, loc, 0), constantI32(builder, loc, lanesPerWarp - 1),
      NVVM::ShflKind::idx, UnitAttr());
  int64_t consumerWarps = op.getFirstWarp(op.getProducers());
  Value consumes =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, warp,
                            constantI32(builder, loc, consumerWarps));
  auto branch = scf::IfOp::create(builder, loc, consumes,
                                  /*withElseRegion=*/true);
  OpBuilder consumers(branch.thenYield()), producers(branch.elseYield());
  moveRole(consumers, op.getConsumers(), op.getConsumerRegisters(),
           NVVM::SetMaxRegisterAction::increase);
  moveRole(producers, op.getProducers(), op.getProducerRegisters(),
           NVVM::SetMaxRegisterAction::decrease);
  // Threads stay until what they copy has arrived.
  NVVM::CpAsyncCommitGroupOp::create(producers, loc);
  NVVM::CpAsyncWaitGroupOp::create(producers, loc, /*n=*/0);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Lowers the roles of warps, and the turns of groups or warpgroups of
// consumers. A turn begins when the threads of the group and those of the one
// before it are at the barrier of the turn; the latter do not wait there.
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

/// The turns that `op` begins or ends.
template <typename OpTy>
static Turns getTurns(OpTy op) {
  return Turns(cast<WarpSpecializeOp>(getRole(op->getBlock())->getParentOp()),
               op.getWarpgroups());
}

/// Gives the turn to part `number` (i32).
static void giveTurn(OpBuilder &builder, Location loc, const Turns &turns,
                     Value number) {
  BarrierOperands turn = turns.getBarrier(builder, loc, number);
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
    Turns turns = getTurns(op);
    createBarrier(
        rewriter, loc,
        turns.getBarrier(rewriter, loc, turns.getNumber(rewriter, loc)));
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
    Turns turns = getTurns(op);
    Value next = addI32(rewriter, loc, turns.getNumber(rewriter, loc), 1);
    giveTurn(rewriter, loc, turns,
             remI32(rewriter, loc, next, turns.getCount()));
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

/// Gives the first turn to part 0, for the last one.
static void giveFirstTurn(WarpSpecializeOp op, const Turns &turns) {
  OpBuilder builder = OpBuilder::atBlockBegin(&op.getConsumers().front());
  Location loc = op.getLoc();
  Value isLast = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, turns.getNumber(builder, loc),
      constantI32(builder, loc, turns.getCount() - 1));
  auto branch = scf::IfOp::create(builder, loc, isLast);
  OpBuilder last = branch.getThenBodyBuilder();
  giveTurn(last, loc, turns, constantI32(last, loc, 0));
}

void stof::tile::giveFirstTurns(WarpSpecializeOp op) {
  if (op.getConsumerGroups() > 1)
    return giveFirstTurn(op, Turns(op, /*areWarpgroups=*/false));
  WalkResult found = op.getConsumers().walk([](BeginTurnOp begin) {
    return begin.getWarpgroups() ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
  if (found.wasInterrupted())
    giveFirstTurn(op, Turns(op, /*areWarpgroups=*/true));
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

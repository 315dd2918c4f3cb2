//===----------------------------------------------------------------------===//
// The receipts of a kernel.
//===----------------------------------------------------------------------===//

#include "ConsumerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof::tile;

ConsumerBuilder::ConsumerBuilder(ProducibleLoads &loads,
                                 const RoleChannels &channels, Value zero)
    : loads(loads), channels(channels), loc(loads.getKernel().getLoc()),
      received(zero), before(zero) {}

/// The last operation of `block` that uses `tile`, itself or in a region, or a
/// tile that may be the same one, such as a selection.
static Operation *getLastUser(Block &block, Value tile) {
  Operation *last = tile.getDefiningOp();
  SmallVector<Value> same{tile};
  while (!same.empty())
    for (Operation *user : same.pop_back_val().getUsers()) {
      Operation *here = block.findAncestorOpInBlock(*user);
      if (last->isBeforeInBlock(here))
        last = here;
      llvm::append_range(
          same, llvm::make_filter_range(here->getResults(), [](Value result) {
            return isa<SharedType>(result.getType());
          }));
    }
  return last;
}

/// Waits before `loop` for tiles that it uses: once, rather than in each
/// iteration.
static void awaitBefore(Operation *loop) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  SmallVector<Value> loaded = llvm::filter_to_vector(used, [](Value value) {
    auto load = value.getDefiningOp<LoadOp>();
    return load && isa<SharedType>(value.getType());
  });
  if (loaded.empty())
    return;
  OpBuilder builder(loop);
  auto arrived = AwaitOp::create(builder, loop->getLoc(), loaded);
  for (auto [tile, here] : llvm::zip_equal(loaded, arrived.getResults()))
    tile.replaceUsesWithIf(here, [&](OpOperand &use) {
      return loop->isProperAncestor(use.getOwner());
    });
}

void ConsumerBuilder::consume(Mainloop &mainloop) {
  awaitBefore(mainloop.slice.getLoop());
  Value number = mainloop.slice.carry(received).front();
  Block &block = mainloop.slice.getBody();
  for (auto [load, channel] : llvm::zip_equal(mainloop.loads, channels.tiles)) {
    OpBuilder builder(load);
    Operation *last = getLastUser(block, load.getResult());
    auto tile = ReceiveOp::create(builder, load.getLoc(), channel, number);
    load.getResult().replaceAllUsesWith(tile.getResult());
    builder.setInsertionPointAfter(last == load ? tile : last);
    ReleaseOp::create(builder, load.getLoc(), channel, number);
    load.erase();
  }
  OpBuilder builder(block.getTerminator());
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  mainloop.slice.getNexts().back().set(
      arith::AddIOp::create(builder, loc, number, one));
  received = mainloop.slice.getLoop()->getResults().back();
}

void ConsumerBuilder::consumeBranches(scf::IfOp branch) {
  OpBuilder builder(branch);
  auto joined = scf::IfOp::create(builder, branch.getLoc(), received.getType(),
                                  branch.getCondition(), /*withElse=*/true);
  Value first = received;
  for (auto [to, from] :
       llvm::zip_equal(joined->getRegions(), branch->getRegions())) {
    received = first;
    if (!from.empty())
      to.takeBody(from);
    consumeMainloops(to.front());
    if (to.front().mightHaveTerminator())
      to.front().getTerminator()->erase();
    builder.setInsertionPointToEnd(&to.front());
    scf::YieldOp::create(builder, loc, received);
  }
  received = joined.getResult(0);
  branch.erase();
}

void ConsumerBuilder::consumeMainloops(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (Mainloop *mainloop = loads.getMainloop(op))
      consume(*mainloop);
    else if (branch && loads.hasMainloops(branch))
      consumeBranches(branch);
  }
}

void ConsumerBuilder::consumeTile(Block &block) {
  for (auto [load, channel] : llvm::zip_equal(loads.getOnce(), channels.once)) {
    OpBuilder builder(load);
    Operation *last = getLastUser(*load->getBlock(), load.getResult());
    auto tile = ReceiveOp::create(builder, load.getLoc(), channel, before);
    load.getResult().replaceAllUsesWith(tile.getResult());
    if (loads.getTileLoop()) {
      builder.setInsertionPointAfter(last == load ? tile : last);
      ReleaseOp::create(builder, load.getLoc(), channel, before);
    }
    load.erase();
  }
  consumeMainloops(block);
}

/// Whether `op`, in `around`, is in the second region of a branch.
static bool isInElse(Operation *op, Operation *around) {
  for (; op->getParentOp() != around; op = op->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
      if (branch.elseBlock() == op->getBlock())
        return true;
  return false;
}

Value ConsumerBuilder::countSent(OpBuilder &builder) {
  Value all = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Mainloop &mainloop : loads.getMainloops()) {
    auto loop = cast<scf::ForOp>(mainloop.slice.getLoop());
    // Branches are alike: the first one counts for all.
    if (isInElse(loop, loads.getTileLoop()))
      continue;
    // The step is positive; there may be no iteration.
    Value length = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                         loop.getLowerBound());
    Value last = arith::SubIOp::create(builder, loc, loop.getStep(), one);
    Value up = arith::AddIOp::create(builder, loc, length, last);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    up = arith::MaxSIOp::create(builder, loc, up, zero);
    Value count = arith::DivUIOp::create(builder, loc, up, loop.getStep());
    all = arith::AddIOp::create(builder, loc, all, count);
  }
  return all;
}

Value ConsumerBuilder::divideTiles(int64_t groups) {
  auto counted = cast<scf::ForOp>(loads.getTileLoop());
  OpBuilder builder(counted);
  Value group = ConsumerGroupOp::create(builder, loc);
  Value count = arith::ConstantIndexOp::create(builder, loc, groups);
  Value step = counted.getStep();
  Value skipped = arith::MulIOp::create(builder, loc, group, step);
  counted.setLowerBound(
      arith::AddIOp::create(builder, loc, counted.getLowerBound(), skipped));
  counted.setStep(arith::MulIOp::create(builder, loc, step, count));
  Value perTile = countSent(builder);
  received = arith::MulIOp::create(builder, loc, group, perTile);
  before = group;
  Value others = arith::ConstantIndexOp::create(builder, loc, groups - 1);
  return arith::MulIOp::create(builder, loc, others, perTile);
}

/// Lets groups take turns in `tile` from the first receipt to the last one, in
/// each branch if all receipts are in branches.
static void takeTurns(Block &tile) {
  auto receives = [](Operation &op) {
    return op.walk([](ReceiveOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  auto turn = llvm::make_filter_range(tile, receives);
  Operation *first = &*turn.begin(), *last = first;
  for (Operation &op : turn)
    last = &op;
  if (auto branch = dyn_cast<scf::IfOp>(first); branch && first == last) {
    takeTurns(*branch.thenBlock());
    return takeTurns(*branch.elseBlock());
  }
  OpBuilder builder(first);
  BeginTurnOp::create(builder, first->getLoc());
  builder.setInsertionPointAfter(last);
  EndTurnOp::create(builder, last->getLoc());
}

void ConsumerBuilder::consumeTiles(int64_t groups) {
  Value byOthers;
  if (groups > 1)
    byOthers = divideTiles(groups);
  LoopSlice slice(loads.getTileLoop());
  ValueRange counts = slice.carry({received, before});
  received = counts[0];
  before = counts[1];
  Block &body = slice.getBody();
  consumeTile(body);
  if (ClaimOp claim = loads.getClaim()) {
    OpBuilder at(claim);
    claim.replaceAllUsesWith(channels.receiveClaim(at, claim.getLoc(), before));
    claim.erase();
  }
  OpBuilder builder(body.getTerminator());
  if (groups > 1) {
    takeTurns(body);
    received = arith::AddIOp::create(builder, loc, received, byOthers);
  }
  Value next = arith::ConstantIndexOp::create(builder, loc, groups);
  MutableArrayRef<OpOperand> nexts = slice.getNexts().take_back(2);
  nexts[0].set(received);
  nexts[1].set(arith::AddIOp::create(builder, loc, before, next));
}

void ConsumerBuilder::build(WarpSpecializeOp roles) {
  Block &consumer = roles.getConsumers().emplaceBlock();
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(roles->getBlock()->begin(), roles->getIterator())))
    if (!loads.isCommon(&op) && !isa<ChannelOp>(op))
      op.moveBefore(&consumer, consumer.end());
  OpBuilder builder = OpBuilder::atBlockEnd(&consumer);
  YieldOp::create(builder, loc);
  if (loads.getTileLoop())
    consumeTiles(roles.getConsumerGroups());
  else
    consumeTile(consumer);
}

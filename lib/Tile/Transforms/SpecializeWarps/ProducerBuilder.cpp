//===----------------------------------------------------------------------===//
// The sends of a kernel.
//===----------------------------------------------------------------------===//

#include "ProducerBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof::tile;

ProducerBuilder::ProducerBuilder(ProducibleLoads &loads,
                                 const RoleChannels &channels, Value zero)
    : loads(loads), channels(channels), loc(loads.getKernel().getLoc()),
      sent(zero), before(zero) {}

static void send(OpBuilder &builder, LoadOp load, Value channel, Value number,
                 ValueRange indices) {
  SendOp::create(builder, load.getLoc(), channel, number, load.getSource(),
                 indices, /*map=*/Value(), load.getAlongAttr(),
                 load.getBlocksAttr());
}

/// A loop over the points of `mainloop` that sends its tiles.
void ProducerBuilder::produce(OpBuilder &builder, Mainloop &mainloop) {
  const LoopSlice &slice = mainloop.slice;
  SmallVector<Value> inits = slice.getFirstState();
  inits.push_back(sent);
  auto loop = scf::WhileOp::create(
      builder, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &inner, Location, ValueRange state) {
        IRMapping point = slice.getPoint(inner, state.drop_back());
        scf::ConditionOp::create(inner, loc, slice.isReached(inner, point),
                                 state);
      },
      [&](OpBuilder &inner, Location, ValueRange state) {
        IRMapping point = slice.getPoint(inner, state.drop_back());
        Value number = state.back();
        for (auto [load, channel] :
             llvm::zip_equal(mainloop.loads, channels.tiles)) {
          auto indices =
              llvm::map_to_vector(load.getIndices(), [&](Value index) {
                return slice.compute(inner, index, point);
              });
          send(inner, load, channel, number, indices);
        }
        IRMapping after = slice.getNext(inner, point);
        SmallVector<Value> next = slice.getState(after);
        Value one = arith::ConstantIndexOp::create(inner, loc, 1);
        next.push_back(arith::AddIOp::create(inner, loc, number, one));
        scf::YieldOp::create(inner, loc, next);
      });
  sent = loop.getResults().back();
}

void ProducerBuilder::produceTile(OpBuilder &builder) {
  for (auto [load, channel] : llvm::zip_equal(loads.getOnce(), channels.once))
    send(builder, load, channel, before, load.getIndices());
  produceMainloops(builder, loads.getTileBlock());
}

void ProducerBuilder::produceMainloops(OpBuilder &builder, Block &block) {
  for (Operation &op : block) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (Mainloop *mainloop = loads.getMainloop(op)) {
      produce(builder, *mainloop);
    } else if (branch && loads.hasMainloops(branch)) {
      Value first = sent;
      auto produceBranch = [&](Block *taken) {
        return [&, taken](OpBuilder &inner, Location) {
          sent = first;
          if (taken)
            produceMainloops(inner, *taken);
          scf::YieldOp::create(inner, loc, sent);
        };
      };
      sent = scf::IfOp::create(builder, loc, branch.getCondition(),
                               produceBranch(branch.thenBlock()),
                               produceBranch(branch.elseBlock()))
                 .getResult(0);
    }
  }
}

void ProducerBuilder::produceCloned(OpBuilder &builder, IRMapping &clones,
                                    ValueRange counts) {
  for (Operation &op : loads.getTileBlock().without_terminator())
    if (loads.isCommon(&op))
      builder.clone(op, clones);
  sent = counts[0];
  before = counts[1];
  produceTile(builder);
}

void ProducerBuilder::produceClaimed(OpBuilder &builder) {
  auto open = cast<scf::WhileOp>(loads.getTileLoop());
  ClaimOp claim = loads.getClaim();
  SmallVector<Value> inits(open.getInits());
  llvm::append_range(inits, ValueRange{sent, before});
  IRMapping clones;
  auto tiles = scf::WhileOp::create(
      builder, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &inner, Location, ValueRange state) {
        IRMapping heads;
        heads.map(open.getBeforeArguments(), state.drop_back(2));
        for (Operation &op : open.getBeforeBody()->without_terminator())
          inner.clone(op, heads);
        scf::ConditionOp end = open.getConditionOp();
        auto passed = llvm::map_to_vector(end.getArgs(), [&](Value value) {
          return heads.lookupOrDefault(value);
        });
        llvm::append_range(passed, state.take_back(2));
        scf::ConditionOp::create(
            inner, loc, heads.lookupOrDefault(end.getCondition()), passed);
      },
      [&](OpBuilder &inner, Location, ValueRange state) {
        clones.map(open.getAfterArguments(), state.drop_back(2));
        produceCloned(inner, clones, state.take_back(2));
        SendClaimOp::create(inner, claim.getLoc(), channels.claims, before,
                            claim.getCounter());
        clones.map(claim.getResult(),
                   channels.receiveClaim(inner, claim.getLoc(), before));
        for (Operation *op = claim->getNextNode(); op->getNextNode();
             op = op->getNextNode())
          inner.clone(*op, clones);
        auto next = llvm::map_to_vector(
            open.getYieldOp().getOperands(),
            [&](Value value) { return clones.lookupOrDefault(value); });
        Value one = arith::ConstantIndexOp::create(inner, loc, 1);
        next.push_back(sent);
        next.push_back(arith::AddIOp::create(inner, loc, before, one));
        scf::YieldOp::create(inner, loc, next);
      });
  for (auto [original, clone] : clones.getValueMap())
    replaceAllUsesInRegionWith(original, clone, tiles.getAfter());
}

void ProducerBuilder::produceCounted(OpBuilder &builder, scf::ForOp counted) {
  IRMapping clones;
  auto tiles = scf::ForOp::create(
      builder, loc, counted.getLowerBound(), counted.getUpperBound(),
      counted.getStep(), ValueRange{sent, before},
      [&](OpBuilder &inner, Location, Value tile, ValueRange counts) {
        clones.map(counted.getInductionVar(), tile);
        produceCloned(inner, clones, counts);
        Value one = arith::ConstantIndexOp::create(inner, loc, 1);
        Value next = arith::AddIOp::create(inner, loc, before, one);
        scf::YieldOp::create(inner, loc, ValueRange{sent, next});
      });
  for (auto [original, clone] : clones.getValueMap())
    replaceAllUsesInRegionWith(original, clone, tiles.getRegion());
}

void ProducerBuilder::build(Block &producer) {
  OpBuilder builder = OpBuilder::atBlockBegin(&producer);
  if (loads.getClaim())
    produceClaimed(builder);
  else if (auto counted = cast_if_present<scf::ForOp>(loads.getTileLoop()))
    produceCounted(builder, counted);
  else
    produceTile(builder);
  YieldOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// The pass that gives the loads of mainloops to warps of their own.
//
// 1. Find the mainloops (ProducibleLoads): outermost loops with loads that
//    follow from scalars of the loop (LoopSlice), all of which load the same
//    tiles.
// 2. Give each tile of an iteration a channel, which the mainloops share: they
//    count the iterations of all.
// 3. Producers (ProducerBuilder) run, for each mainloop, a loop over its points
//    that sends tiles.
// 4. Consumers (ConsumerBuilder) run everything else. A load becomes the
//    receipt of a tile, which is released after its last use in the iteration.
//
// Scalars that both roles need are computed before, by all threads. If the CTA
// has a loop over its tiles (stof-persist-ctas), each role has that loop, with
// the scalars of a tile, and the counts of tiles go on from one to the next.
// Tiles can be divided among groups of consumers, whose mainloops take turns:
// one multiplies while another one stores (ping-pong). If the CTA claims its
// tiles, a producer warp does so for all warps, through a channel of numbers.
//
// Mainloops can be in the branches of a group, of which a tile takes one: both
// roles branch alike, and the mainloops of all branches share the channels.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "SpecializeWarps/ConsumerBuilder.h"
#include "SpecializeWarps/ProducerBuilder.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Roles.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_SPECIALIZEWARPSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-specialize-warps");
}

namespace {
/// The registers of each thread of a role.
struct RoleRegisters {
  int64_t consumers, producers;
};

/// The warps of a group of consumers, the groups, and the warps that load.
struct RoleWarps {
  int64_t consumers, groups, producers;

  int64_t getNumConsumers() const { return consumers * groups; }
  int64_t getNumWarps() const { return getNumConsumers() + producers; }
};
} // namespace

/// Divides the kernel of `loads` among `warps`.
static void specialize(ProducibleLoads &loads, const RoleWarps &warps,
                       int64_t stages, std::optional<RoleRegisters> registers) {
  gpu::GPUFuncOp kernel = loads.getKernel();
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto createChannel = [&](LoadOp load, int64_t count) {
    return ChannelOp::create(builder, load.getLoc(),
                             getChannelType(load, count), warps.producers,
                             warps.consumers, /*bulk=*/false);
  };
  RoleChannels channels;
  for (LoadOp load : loads.getMainloops().front().loads)
    channels.tiles.push_back(createChannel(load, stages));
  for (LoadOp load : loads.getOnce())
    channels.once.push_back(createChannel(load, /*count=*/1));
  // One warp claims for all.
  if (ClaimOp claim = loads.getClaim())
    channels.claims =
        ChannelOp::create(builder, claim.getLoc(), getClaimsType(claim),
                          /*senders=*/1, warps.getNumWarps(), /*bulk=*/false);
  auto zero = arith::ConstantIndexOp::create(builder, loc, 0);
  loads.addCommon(zero);
  builder.setInsertionPoint(body.getTerminator());
  IntegerAttr consumed, produced;
  if (registers) {
    consumed = builder.getI64IntegerAttr(registers->consumers);
    produced = builder.getI64IntegerAttr(registers->producers);
  }
  auto roles =
      WarpSpecializeOp::create(builder, loc, warps.consumers, warps.groups,
                               warps.producers, consumed, produced);
  ProducerBuilder(loads, channels, zero)
      .build(roles.getProducers().emplaceBlock());
  ConsumerBuilder(loads, channels, zero).build(roles);
}

/// The registers of a thread of each role, if both are whole warpgroups and one
/// CTA has all of an SM: those that producers give back go to consumers.
static std::optional<RoleRegisters> divideRegisters(const RoleWarps &warps,
                                                    int64_t ctas) {
  if (ctas > 1 || warps.getNumConsumers() % warpsPerGroup != 0 ||
      warps.producers % warpsPerGroup != 0)
    return std::nullopt;
  constexpr int64_t all = 1 << 16, most = 240;
  // Producers of groups have all of their tiles from the same loop, which needs
  // few registers. Three warpgroups of consumers need those that producers can
  // spare, even if copies by threads spill then.
  constexpr int64_t usual = 40, few = 32;
  bool areMany = warps.getNumConsumers() > 2 * warpsPerGroup;
  int64_t forProducers =
      warps.groups > 1 ? leastRegisters : (areMany ? few : usual);
  int64_t numWarps = warps.getNumWarps();
  int64_t atLaunch =
      llvm::alignDown(all / (numWarps * stof::lanesPerWarp), registerUnit);
  int64_t left = atLaunch * numWarps - forProducers * warps.producers;
  return RoleRegisters{
      std::min<int64_t>(
          most, llvm::alignDown(left / warps.getNumConsumers(), registerUnit)),
      forProducers};
}

namespace {
struct SpecializeWarpsPass
    : stof::impl::SpecializeWarpsPassBase<SpecializeWarpsPass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::DenseMap<Operation *, int64_t> threads;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (int64_t all = specialize(kernel))
        threads[kernel] = all;
    });
    SymbolTableCollection symbols;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto found = threads.find(
          symbols.lookupNearestSymbolFrom(launch, launch.getKernel()));
      if (found == threads.end())
        return;
      OpBuilder builder(launch);
      launch.getBlockSizeXMutable().assign(arith::ConstantIndexOp::create(
          builder, launch.getLoc(), found->second));
    });
  }

private:
  /// Returns the threads of the CTA if `kernel` has roles now, else 0.
  int64_t specialize(gpu::GPUFuncOp kernel) {
    DictionaryAttr schedule = stof::scheduleAttr.get(kernel);
    auto getEntry = [&](StringRef name, int64_t otherwise) {
      auto entry = schedule ? schedule.getAs<IntegerAttr>(name) : IntegerAttr();
      return entry ? entry.getInt() : otherwise;
    };
    int64_t loading = getEntry(stof::producersEntry, producers);
    if (loading == 0)
      return 0;
    ProducibleLoads loads(kernel);
    int64_t count = getEntry(stof::stagesEntry, stages);
    std::string reason;
    if (getNumThreads(kernel) == 0) {
      reason = "the number of its threads is unknown";
    } else if (loads.find() == 0) {
      reason = "producer warps cannot know which tiles its loops load";
    } else {
      while (count > 0 && loads.getBytes(count) > capacity)
        --count;
      if (count == 0)
        reason = "its tiles exceed the shared memory of a CTA";
    }
    if (!reason.empty()) {
      remark::missed(kernel.getLoc(), named("Producers"))
          << remark::reason("{0}", reason);
      return 0;
    }
    RoleWarps warps{getNumThreads(kernel) / stof::lanesPerWarp,
                    getEntry(stof::groupsEntry, 1), loading};
    if (warps.groups > 1) {
      if (StringRef why = loads.explainNoGroups(); !why.empty()) {
        remark::missed(kernel.getLoc(), named("Groups"))
            << remark::reason("{0}", why);
        warps.groups = 1;
      }
    }
    int64_t ctas = getEntry(stof::residentEntry, /*otherwise=*/1);
    ::specialize(loads, warps, count, divideRegisters(warps, ctas));
    int64_t threads = warps.getNumWarps() * stof::lanesPerWarp;
    kernel.setKnownBlockSize(
        ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
    remark::passed(kernel.getLoc(), named("Producers"))
        << remark::metric("Warps", loading) << remark::metric("Stages", count);
    if (schedule) {
      NamedAttrList entries(schedule);
      entries.set(stof::stagesEntry, Builder(kernel).getI64IntegerAttr(count));
      if (warps.groups == 1)
        entries.erase(stof::groupsEntry);
      stof::scheduleAttr.set(kernel, entries.getDictionary(&getContext()));
    }
    return threads;
  }
};
} // namespace

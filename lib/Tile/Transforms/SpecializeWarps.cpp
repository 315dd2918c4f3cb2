//===----------------------------------------------------------------------===//
// The pass that gives the loads of mainloops to warps of their own.
//
// 1. Find the mainloops: outermost loops with loads that follow from scalars of
//    the loop (LoopSlice), all of which load the same tiles.
// 2. Give each tile of an iteration a channel, which the mainloops share: they
//    count the iterations of all.
// 3. Producers run, for each mainloop, a loop over its points that sends tiles.
// 4. Consumers run everything else. A load becomes the receipt of a tile, which
//    is released after its last use in the iteration.
//
// Scalars that both roles need are computed before, by all threads.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "LoopSlice.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Roles.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

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

/// A loop whose loads producers can issue.
struct Mainloop {
  LoopSlice slice;
  SmallVector<LoadOp> loads;
};

/// Specialises the warps of one kernel.
class Specializer {
public:
  explicit Specializer(gpu::GPUFuncOp kernel)
      : kernel(kernel), body(kernel.getBody().front()), loc(kernel.getLoc()) {}

  /// Finds the mainloops; returns their number.
  size_t find();
  /// A bound of the shared memory with so many `stages`, in bytes.
  int64_t getBytes(int64_t stages);
  /// Divides the kernel among `consumers` and `producers` warps.
  void run(int64_t consumers, int64_t producers, int64_t stages,
           std::optional<RoleRegisters> registers);

private:
  /// Whether all threads can compute `value` before they take their roles.
  bool isCommon(Value value) const;
  bool isCommon(Operation *op, bool afterWrites) const;
  /// Whether producers can load `load`, and run `mainloop`.
  bool canProduceOnce(LoadOp load) const;
  bool canProduce(const Mainloop &mainloop) const;

  void produce(OpBuilder &builder, Mainloop &mainloop);
  void consume(Mainloop &mainloop);

  gpu::GPUFuncOp kernel;
  Block &body;
  Location loc;
  /// The operations that all threads run.
  llvm::SmallDenseSet<Operation *> common;
  SmallVector<Mainloop> mainloops;
  /// The channels of the tiles of an iteration.
  SmallVector<Value> channels;
  /// Loads outside of loops, each with a channel of its own.
  SmallVector<LoadOp> once;
  /// The tiles sent, and received, before the next mainloop.
  Value sent, received;
};
} // namespace

bool Specializer::isCommon(Value value) const {
  Operation *op = value.getDefiningOp();
  return op ? common.contains(op)
            : cast<BlockArgument>(value).getOwner() == &body;
}

bool Specializer::isCommon(Operation *op, bool afterWrites) const {
  return readsAtMost(op) && (isMemoryEffectFree(op) || !afterWrites) &&
         llvm::all_of(getTaken(op),
                      [&](Value taken) { return isCommon(taken); });
}

bool Specializer::canProduceOnce(LoadOp load) const {
  return isa<SharedType>(load.getResult().getType()) && !load.getBuffer() &&
         !load.getCondition() &&
         llvm::all_of(load->getOperands(),
                      [&](Value operand) { return isCommon(operand); });
}

bool Specializer::canProduce(const Mainloop &mainloop) const {
  const LoopSlice &slice = mainloop.slice;
  if (mainloop.loads.empty() || !slice.isKnown() || mayWrite(slice.getLoop()))
    return false;
  llvm::SetVector<Value> needed;
  slice.addOutside(needed);
  for (LoadOp load : mainloop.loads) {
    needed.insert(load.getSource());
    for (Value index : load.getIndices())
      slice.addOutside(index, needed);
  }
  if (!llvm::all_of(needed, [&](Value value) { return isCommon(value); }))
    return false;
  return mainloops.empty() ||
         llvm::equal(mainloop.loads, mainloops.front().loads,
                     [](LoadOp lhs, LoadOp rhs) {
                       return lhs.getResult().getType() ==
                              rhs.getResult().getType();
                     });
}

size_t Specializer::find() {
  bool afterWrites = false;
  for (Operation &op : body.without_terminator()) {
    if (isCommon(&op, afterWrites)) {
      common.insert(&op);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      if (canProduceOnce(load) && !afterWrites)
        once.push_back(load);
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      LoopSlice slice(&op);
      Mainloop mainloop{slice, slice.getLoads()};
      // What consumers have written is not there for producers.
      if (canProduce(mainloop) && !afterWrites)
        mainloops.push_back(mainloop);
    }
    afterWrites |= mayWrite(&op);
  }
  return mainloops.size();
}

/// The channel for tiles that `load` loads.
static ChannelType getChannelType(LoadOp load, int64_t stages) {
  return ChannelType::get(cast<SharedType>(load.getResult().getType()), stages);
}

int64_t Specializer::getBytes(int64_t stages) {
  // What consumers allocate.
  int64_t bytes = 0;
  kernel->walk([&](Operation *op) { bytes += getSharedBytes(op); });
  for (Mainloop &mainloop : mainloops)
    for (LoadOp load : mainloop.loads)
      bytes -= getSharedBytes(load);
  for (LoadOp load : once)
    bytes -= getSharedBytes(load);
  auto add = [&](LoadOp load, int64_t count) {
    bytes = llvm::alignTo(bytes, WarpgroupOperand::windowBytes) +
            getChannelType(load, count).getSizeInBytes();
  };
  for (LoadOp load : mainloops.front().loads)
    add(load, stages);
  for (LoadOp load : once)
    add(load, 1);
  return bytes;
}

static void send(OpBuilder &builder, LoadOp load, Value channel, Value number,
                 ValueRange indices) {
  SendOp::create(builder, load.getLoc(), channel, number, load.getSource(),
                 indices, /*map=*/Value(), load.getAlongAttr());
}

/// A loop over the points of `mainloop` that sends its tiles.
void Specializer::produce(OpBuilder &builder, Mainloop &mainloop) {
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
        for (auto [load, channel] : llvm::zip_equal(mainloop.loads, channels)) {
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

void Specializer::consume(Mainloop &mainloop) {
  awaitBefore(mainloop.slice.getLoop());
  Value number = mainloop.slice.carry(received).front();
  Block &block = mainloop.slice.getBody();
  for (auto [load, channel] : llvm::zip_equal(mainloop.loads, channels)) {
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

void Specializer::run(int64_t consumers, int64_t producers, int64_t stages,
                      std::optional<RoleRegisters> registers) {
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto createChannel = [&](LoadOp load, int64_t count) {
    return ChannelOp::create(builder, load.getLoc(),
                             getChannelType(load, count), producers, consumers,
                             /*bulk=*/false);
  };
  for (LoadOp load : mainloops.front().loads)
    channels.push_back(createChannel(load, stages));
  SmallVector<Value> onceChannels;
  for (LoadOp load : once)
    onceChannels.push_back(createChannel(load, /*count=*/1));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  sent = received = zero;
  Operation *first = &*builder.getInsertionPoint();
  builder.setInsertionPoint(body.getTerminator());
  IntegerAttr consumed, produced;
  if (registers) {
    consumed = builder.getI64IntegerAttr(registers->consumers);
    produced = builder.getI64IntegerAttr(registers->producers);
  }
  auto roles = WarpSpecializeOp::create(builder, loc, consumers, producers,
                                        consumed, produced);
  Block &consumer = roles.getConsumers().emplaceBlock();
  Block &producer = roles.getProducers().emplaceBlock();
  OpBuilder sending = OpBuilder::atBlockBegin(&producer);
  for (auto [load, channel] : llvm::zip_equal(once, onceChannels))
    send(sending, load, channel, zero, load.getIndices());
  for (Mainloop &mainloop : mainloops)
    produce(sending, mainloop);
  YieldOp::create(sending, loc);

  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(first->getIterator(), roles->getIterator())))
    if (!common.contains(&op))
      op.moveBefore(&consumer, consumer.end());
  builder.setInsertionPointToEnd(&consumer);
  YieldOp::create(builder, loc);
  for (auto [load, channel] : llvm::zip_equal(once, onceChannels)) {
    builder.setInsertionPoint(load);
    load.getResult().replaceAllUsesWith(
        ReceiveOp::create(builder, load.getLoc(), channel, zero).getResult());
    load.erase();
  }
  for (Mainloop &mainloop : mainloops)
    consume(mainloop);
}

/// The registers of a thread of each role, if both are whole warpgroups: those
/// that producers give back go to consumers. One CTA has all of an SM.
static std::optional<RoleRegisters> divideRegisters(int64_t consumers,
                                                    int64_t producers) {
  if (consumers % warpsPerGroup != 0 || producers % warpsPerGroup != 0)
    return std::nullopt;
  constexpr int64_t unit = 8, all = 1 << 16, forProducers = 40, most = 240;
  int64_t warps = consumers + producers;
  int64_t atLaunch = llvm::alignDown(all / (warps * stof::lanesPerWarp), unit);
  int64_t left = atLaunch * warps - forProducers * producers;
  return RoleRegisters{
      std::min<int64_t>(most, llvm::alignDown(left / consumers, unit)),
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
    Specializer specializer(kernel);
    int64_t count = getEntry(stof::stagesEntry, stages);
    std::string reason;
    if (getNumThreads(kernel) == 0) {
      reason = "the number of its threads is unknown";
    } else if (specializer.find() == 0) {
      reason = "producer warps cannot know which tiles its loops load";
    } else {
      while (count > 0 && specializer.getBytes(count) > capacity)
        --count;
      if (count == 0)
        reason = "its tiles exceed the shared memory of a CTA";
    }
    if (!reason.empty()) {
      remark::missed(kernel.getLoc(), named("Producers"))
          << remark::reason("{0}", reason);
      return 0;
    }
    int64_t computing = getNumThreads(kernel) / stof::lanesPerWarp;
    specializer.run(computing, loading, count,
                    divideRegisters(computing, loading));
    int64_t threads = (computing + loading) * stof::lanesPerWarp;
    kernel.setKnownBlockSize(
        ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
    remark::passed(kernel.getLoc(), named("Producers"))
        << remark::metric("Warps", loading) << remark::metric("Stages", count);
    if (schedule) {
      NamedAttrList entries(schedule);
      entries.set(stof::stagesEntry, Builder(kernel).getI64IntegerAttr(count));
      stof::scheduleAttr.set(kernel, entries.getDictionary(&getContext()));
    }
    return threads;
  }
};
} // namespace

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

/// The loop in which a CTA of `kernel` computes tile after tile; null if it has
/// one tile.
static Operation *findTileLoop(gpu::GPUFuncOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (stof::tileLoopAttr.isOn(&op))
      return &op;
  return nullptr;
}

/// The claim of the next tile, at the end of an iteration of the loop over
/// tiles `around`; null if tiles are not claimed.
static ClaimOp findClaim(Operation *around) {
  if (!isa_and_nonnull<scf::WhileOp>(around))
    return {};
  auto claims = around->getRegions().back().front().getOps<ClaimOp>();
  return claims.empty() ? ClaimOp() : *claims.begin();
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

/// A loop whose loads producers can issue.
struct Mainloop {
  LoopSlice slice;
  SmallVector<LoadOp> loads;
};

/// Specialises the warps of one kernel.
class Specializer {
public:
  explicit Specializer(gpu::GPUFuncOp kernel)
      : kernel(kernel), around(findTileLoop(kernel)), claim(findClaim(around)),
        loc(kernel.getLoc()) {}

  /// Finds the mainloops; returns their number.
  size_t find();
  /// A bound of the shared memory with so many `stages`, in bytes.
  int64_t getBytes(int64_t stages);
  /// What keeps groups from sharing the tiles of a CTA; empty if nothing does.
  StringRef explainNoGroups();
  /// Divides the kernel among `warps`.
  void run(const RoleWarps &warps, int64_t stages,
           std::optional<RoleRegisters> registers);

private:
  /// Whether all threads can compute `value` before they take their roles.
  bool isCommon(Value value) const;
  bool isCommon(Operation *op, bool afterWrites) const;
  /// Whether producers can load `load`, and run `mainloop`.
  bool canProduceOnce(LoadOp load) const;
  bool canProduce(const Mainloop &mainloop) const;

  /// Sorts the operations of `block`, before which memory may have been written
  /// to if `afterWrites` is set.
  void find(Block &block, bool afterWrites);
  /// The same for the blocks of `branch`, whose scalars move before it.
  void find(scf::IfOp branch, bool afterWrites);
  /// The mainloop that `op` is; null if it is none.
  Mainloop *getMainloop(Operation &op);
  /// Whether `op` has branches with mainloops.
  bool hasMainloops(scf::IfOp op);
  /// The iterations of the mainloops in `block`, if they are static and the
  /// same in all branches.
  std::optional<int64_t> countIterations(Block &block);

  /// Creates the sends of one tile of the CTA.
  void produceTile(OpBuilder &builder);
  void produceMainloops(OpBuilder &builder, Block &block);
  void produce(OpBuilder &builder, Mainloop &mainloop);
  /// Creates the region of producers: the sends, in a loop over tiles if there
  /// is one.
  void produceAll(Block &producer);
  /// The same of tiles that the CTA claims.
  void produceClaimed(OpBuilder &builder);
  /// Creates the sends of a tile of the CTA, with `clones` of its scalars.
  void produceCloned(OpBuilder &builder, IRMapping &clones, ValueRange counts);
  /// Receives what was claimed after a tile of the CTA.
  Value receiveClaim(OpBuilder &builder, Location at);
  void consume(Mainloop &mainloop);
  void consumeMainloops(Block &block);
  void consumeBranches(scf::IfOp branch);
  /// Replaces the loads of a tile of the CTA, which `block` computes, by
  /// receipts.
  void consumeTile(Block &block);
  /// Moves what only consumers run to their region.
  void consumeAll(WarpSpecializeOp roles);
  /// Gives each of `groups` its share of the tiles. Returns the K tiles that
  /// the others receive for each tile of a group.
  Value divideTiles(int64_t groups);
  /// Replaces the loads in a loop over tiles.
  void consumeTiles(int64_t groups);
  /// The block of a tile of the CTA.
  Block &getTileBlock();
  /// The K tiles of a tile of the CTA.
  Value countSent(OpBuilder &builder);

  gpu::GPUFuncOp kernel;
  /// The loop over the tiles of the CTA, if it has several, an `scf.for` or an
  /// `scf.while`; and what claims the next one in the latter.
  Operation *around;
  ClaimOp claim;
  Location loc;
  /// The operations that all threads run, or both roles for each tile.
  llvm::SmallDenseSet<Operation *> common;
  SmallVector<Mainloop> mainloops;
  /// The channels of the tiles of an iteration.
  SmallVector<Value> channels;
  /// Loads outside of loops, each with a channel of its own.
  SmallVector<LoadOp> once;
  SmallVector<Value> onceChannels;
  /// The channel of claimed numbers, if tiles are claimed.
  Value claims;
  /// The tiles sent, and received, before the next mainloop; and those of the
  /// CTA before this one.
  Value sent, received, before;
};
} // namespace

bool Specializer::isCommon(Value value) const {
  if (Operation *op = value.getDefiningOp())
    return common.contains(op);
  Operation *owner = cast<BlockArgument>(value).getOwner()->getParentOp();
  return owner == kernel || owner == around;
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

/// The branch around `block` that is in no other one.
static Operation *getOutermostBranch(Block &block) {
  Operation *branch = block.getParentOp();
  while (isa<scf::IfOp>(branch->getParentOp()))
    branch = branch->getParentOp();
  return branch;
}

void Specializer::find(Block &block, bool afterWrites) {
  // In a loop over tiles, loads are those of a tile.
  bool isBranch = isa<scf::IfOp>(block.getParentOp());
  bool isInTile = isBranch || !around || block.getParentOp() == around;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (isCommon(&op, afterWrites)) {
      // Only what both roles can compute for any tile leaves its branch.
      if (isBranch && !(isMemoryEffectFree(&op) && isSpeculatable(&op)))
        continue;
      if (isBranch)
        op.moveBefore(getOutermostBranch(block));
      common.insert(&op);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      if (isInTile && !isBranch && canProduceOnce(load) && !afterWrites)
        once.push_back(load);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (isInTile && branch.getNumResults() == 0 &&
          isCommon(branch.getCondition()))
        find(branch, afterWrites);
    } else if (&op == around) {
      // What other tiles write is not read.
      find(around->getRegions().back().front(), afterWrites);
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      LoopSlice slice(&op);
      Mainloop mainloop{slice, slice.getLoads()};
      // What consumers have written is not there for producers.
      if (isInTile && canProduce(mainloop) && !afterWrites)
        mainloops.push_back(mainloop);
    }
    afterWrites |= mayWrite(&op);
  }
}

void Specializer::find(scf::IfOp branch, bool afterWrites) {
  find(*branch.thenBlock(), afterWrites);
  if (Block *otherwise = branch.elseBlock())
    find(*otherwise, afterWrites);
}

Mainloop *Specializer::getMainloop(Operation &op) {
  auto *found = llvm::find_if(mainloops, [&](const Mainloop &mainloop) {
    return mainloop.slice.getLoop() == &op;
  });
  return found == mainloops.end() ? nullptr : found;
}

bool Specializer::hasMainloops(scf::IfOp op) {
  return llvm::any_of(mainloops, [&](const Mainloop &mainloop) {
    return op->isProperAncestor(mainloop.slice.getLoop());
  });
}

std::optional<int64_t> Specializer::countIterations(Block &block) {
  int64_t all = 0;
  for (Operation &op : block) {
    std::optional<int64_t> count = 0;
    auto branch = dyn_cast<scf::IfOp>(op);
    if (getMainloop(op)) {
      auto loop = dyn_cast<scf::ForOp>(op);
      std::optional<APInt> trips =
          loop ? loop.getStaticTripCount() : std::nullopt;
      count = trips ? std::optional(trips->getSExtValue()) : std::nullopt;
    } else if (branch && hasMainloops(branch)) {
      count = countIterations(*branch.thenBlock());
      Block *otherwise = branch.elseBlock();
      if (!otherwise || countIterations(*otherwise) != count)
        return std::nullopt;
    }
    if (!count)
      return std::nullopt;
    all += *count;
  }
  return all;
}

size_t Specializer::find() {
  find(kernel.getBody().front(), /*afterWrites=*/false);
  return mainloops.size();
}

/// The channel for tiles that `load` loads.
static ChannelType getChannelType(LoadOp load, int64_t stages) {
  return ChannelType::get(cast<SharedType>(load.getResult().getType()), stages);
}

/// The channel of what is claimed. Warps receive a number at the end of the
/// tile before, and a warp that is a tile ahead of them claims no further one:
/// it would be done later elsewhere.
static ChannelType getClaimsType(ClaimOp claim) {
  Type number = IntegerType::get(claim.getContext(), 32);
  return ChannelType::get(SharedType::get(claim.getContext(), {1, 1}, number),
                          /*stages=*/1);
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
  if (claim)
    bytes += getClaimsType(claim).getSizeInBytes();
  return bytes;
}

static void send(OpBuilder &builder, LoadOp load, Value channel, Value number,
                 ValueRange indices) {
  SendOp::create(builder, load.getLoc(), channel, number, load.getSource(),
                 indices, /*map=*/Value(), load.getAlongAttr(),
                 load.getBlocksAttr());
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

void Specializer::produceTile(OpBuilder &builder) {
  for (auto [load, channel] : llvm::zip_equal(once, onceChannels))
    send(builder, load, channel, before, load.getIndices());
  produceMainloops(builder, getTileBlock());
}

Block &Specializer::getTileBlock() {
  return around ? around->getRegions().back().front()
                : kernel.getBody().front();
}

void Specializer::produceMainloops(OpBuilder &builder, Block &block) {
  for (Operation &op : block) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (Mainloop *mainloop = getMainloop(op)) {
      produce(builder, *mainloop);
    } else if (branch && hasMainloops(branch)) {
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

void Specializer::produceCloned(OpBuilder &builder, IRMapping &clones,
                                ValueRange counts) {
  for (Operation &op : around->getRegions().back().front().without_terminator())
    if (common.contains(&op))
      builder.clone(op, clones);
  sent = counts[0];
  before = counts[1];
  produceTile(builder);
}

Value Specializer::receiveClaim(OpBuilder &builder, Location at) {
  Value number = ReceiveClaimOp::create(builder, at, claims, before);
  ReleaseOp::create(builder, at, claims, before);
  return number;
}

void Specializer::produceClaimed(OpBuilder &builder) {
  auto open = cast<scf::WhileOp>(around);
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
        SendClaimOp::create(inner, claim.getLoc(), claims, before,
                            claim.getCounter());
        clones.map(claim.getResult(), receiveClaim(inner, claim.getLoc()));
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

void Specializer::produceAll(Block &producer) {
  OpBuilder builder = OpBuilder::atBlockBegin(&producer);
  if (claim) {
    produceClaimed(builder);
    YieldOp::create(builder, loc);
    return;
  }
  auto counted = cast_if_present<scf::ForOp>(around);
  if (!counted) {
    produceTile(builder);
    YieldOp::create(builder, loc);
    return;
  }
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
  YieldOp::create(builder, loc);
}

void Specializer::consumeBranches(scf::IfOp branch) {
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

void Specializer::consumeMainloops(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (Mainloop *mainloop = getMainloop(op))
      consume(*mainloop);
    else if (branch && hasMainloops(branch))
      consumeBranches(branch);
  }
}

void Specializer::consumeTile(Block &block) {
  for (auto [load, channel] : llvm::zip_equal(once, onceChannels)) {
    OpBuilder builder(load);
    Operation *last = getLastUser(*load->getBlock(), load.getResult());
    auto tile = ReceiveOp::create(builder, load.getLoc(), channel, before);
    load.getResult().replaceAllUsesWith(tile.getResult());
    if (around) {
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

Value Specializer::countSent(OpBuilder &builder) {
  Value all = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Mainloop &mainloop : mainloops) {
    auto loop = cast<scf::ForOp>(mainloop.slice.getLoop());
    // Branches are alike: the first one counts for all.
    if (isInElse(loop, around))
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

Value Specializer::divideTiles(int64_t groups) {
  auto counted = cast<scf::ForOp>(around);
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

void Specializer::consumeTiles(int64_t groups) {
  Value byOthers;
  if (groups > 1)
    byOthers = divideTiles(groups);
  LoopSlice slice(around);
  ValueRange counts = slice.carry({received, before});
  received = counts[0];
  before = counts[1];
  Block &body = slice.getBody();
  consumeTile(body);
  if (claim) {
    OpBuilder at(claim);
    claim.replaceAllUsesWith(receiveClaim(at, claim.getLoc()));
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

void Specializer::consumeAll(WarpSpecializeOp roles) {
  Block &consumer = roles.getConsumers().emplaceBlock();
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(roles->getBlock()->begin(), roles->getIterator())))
    if (!common.contains(&op) && !isa<ChannelOp>(op))
      op.moveBefore(&consumer, consumer.end());
  OpBuilder builder = OpBuilder::atBlockEnd(&consumer);
  YieldOp::create(builder, loc);
  if (around)
    consumeTiles(roles.getConsumerGroups());
  else
    consumeTile(consumer);
}

StringRef Specializer::explainNoGroups() {
  if (!around)
    return "its CTAs have one tile each";
  auto counted = dyn_cast<scf::ForOp>(around);
  if (!counted)
    return "its CTAs claim their tiles";
  auto isOutside = [&](Value value) {
    return counted.isDefinedOutsideOfLoop(value);
  };
  for (Mainloop &mainloop : mainloops) {
    auto loop = dyn_cast<scf::ForOp>(mainloop.slice.getLoop());
    if (!loop || !llvm::all_of(ValueRange{loop.getLowerBound(),
                                          loop.getUpperBound(), loop.getStep()},
                               isOutside))
      return "its tiles differ in the iterations of their mainloops";
    bool isInTile = loop->getParentOp() == around;
    if (!isInTile && !countIterations(getTileBlock()))
      return "its branches differ in the iterations of their mainloops";
  }
  llvm::SmallDenseSet<Operation *> produced(once.begin(), once.end());
  for (Mainloop &mainloop : mainloops)
    produced.insert_range(mainloop.loads);
  bool allocates = false;
  around->walk([&](Operation *op) {
    allocates |= !produced.contains(op) && getSharedBytes(op) > 0;
  });
  return allocates ? "its groups would share temporary memory" : StringRef();
}

void Specializer::run(const RoleWarps &warps, int64_t stages,
                      std::optional<RoleRegisters> registers) {
  Block &body = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto createChannel = [&](LoadOp load, int64_t count) {
    return ChannelOp::create(builder, load.getLoc(),
                             getChannelType(load, count), warps.producers,
                             warps.consumers, /*bulk=*/false);
  };
  for (LoadOp load : mainloops.front().loads)
    channels.push_back(createChannel(load, stages));
  for (LoadOp load : once)
    onceChannels.push_back(createChannel(load, /*count=*/1));
  // One warp claims for all.
  if (claim)
    claims = ChannelOp::create(builder, claim.getLoc(), getClaimsType(claim),
                               /*senders=*/1, warps.getNumWarps(),
                               /*bulk=*/false);
  auto zero = arith::ConstantIndexOp::create(builder, loc, 0);
  common.insert(zero);
  sent = received = before = zero;
  builder.setInsertionPoint(body.getTerminator());
  IntegerAttr consumed, produced;
  if (registers) {
    consumed = builder.getI64IntegerAttr(registers->consumers);
    produced = builder.getI64IntegerAttr(registers->producers);
  }
  auto roles =
      WarpSpecializeOp::create(builder, loc, warps.consumers, warps.groups,
                               warps.producers, consumed, produced);
  produceAll(roles.getProducers().emplaceBlock());
  // Its tiles are counted from zero, as those of producers.
  before = zero;
  consumeAll(roles);
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
    RoleWarps warps{getNumThreads(kernel) / stof::lanesPerWarp,
                    getEntry(stof::groupsEntry, 1), loading};
    if (warps.groups > 1) {
      if (StringRef why = specializer.explainNoGroups(); !why.empty()) {
        remark::missed(kernel.getLoc(), named("Groups"))
            << remark::reason("{0}", why);
        warps.groups = 1;
      }
    }
    int64_t ctas = getEntry(stof::residentEntry, /*otherwise=*/1);
    specializer.run(warps, count, divideRegisters(warps, ctas));
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

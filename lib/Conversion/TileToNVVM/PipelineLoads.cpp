//===----------------------------------------------------------------------===//
// The pass that issues loads early.
//
// A load that goes `stages` - 1 iterations ahead has `stages` places. The loop
// carries the tiles in the order of their iterations, the next to be used
// first, and last the one whose place is free. At the start of an iteration it
//   1. waits for its own tiles, the last time that it has to,
//   2. issues loads that only come early within the iteration,
//   3. issues the loads of the iteration ahead into the free places; behind the
//      products if those are under way meanwhile.
// Waiting once makes all threads meet there, so the places that the iteration
// before used are free.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "LoopWalk.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

namespace stof {
#define GEN_PASS_DEF_PIPELINELOADSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

/// Whether `loop` may change memory, or nobody knows.
static bool mayWrite(Operation *loop) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(loop);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect());
  });
}

/// The loads that may be issued before their turn.
static SmallVector<LoadOp> getLoads(const LoopWalk &walk) {
  SmallVector<LoadOp> loads;
  for (auto load : walk.getBody().getOps<LoadOp>()) {
    if (isa<SharedType>(load.getResult().getType()) && !load.getPlace() &&
        !load.getCondition() && !walk.isInside(load.getSource()) &&
        llvm::all_of(load.getIndices(),
                     [&](Value index) { return walk.follows(index); }))
      loads.push_back(load);
  }
  return loads;
}

/// Whether all products of an iteration are of warpgroups, and no more than
/// added up: they are under way until it ends.
static bool hasOnlySums(Block &body) {
  auto products = body.getOps<ContractOp>();
  return !products.empty() && llvm::all_of(products, [&](ContractOp op) {
    return canWarpgroupsMultiply(op) &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             return user == body.getTerminator();
           });
  });
}

/// The bytes of all shared tiles that are in use in `loop`.
static int64_t getBytesInUse(Operation *loop) {
  int64_t bytes = 0;
  loop->walk([&](Operation *op) { bytes += getSharedBytes(op); });
  llvm::SetVector<Value> outside;
  getUsedValuesDefinedAbove(loop->getRegions(), outside);
  for (Value value : outside)
    if (isa<SharedType>(value.getType()) && value.getDefiningOp())
      bytes += getSharedBytes(value.getDefiningOp());
  return bytes;
}

/// The bytes of shared tiles that are in use around `loop`, in the loops that
/// it is in, and not by itself.
static int64_t getBytesAround(Operation *loop) {
  Operation *outermost = loop;
  while (isa<scf::ForOp, scf::WhileOp>(outermost->getParentOp()))
    outermost = outermost->getParentOp();
  return getBytesInUse(outermost) - getBytesInUse(loop);
}

namespace {
/// Rewrites one loop.
class Pipeliner {
public:
  Pipeliner(LoopWalk &walk, Operation *loop, int64_t stages, bool isLate)
      : walk(walk), before(loop), loc(loop->getLoc()), stages(stages),
        isLate(isLate) {}

  void run(ArrayRef<LoadOp> ahead, ArrayRef<LoadOp> early) {
    ValueRange carried = walk.carry(issueFirst(ahead));
    OpBuilder builder = OpBuilder::atBlockBegin(&walk.getBody());
    IRMapping current = walk.getCurrent();
    SmallVector<Value> sent, arrived;
    for (size_t number = 0; number < ahead.size(); ++number)
      sent.push_back(carried[number * stages]);
    if (!ahead.empty())
      arrived = AwaitOp::create(builder, loc, sent).getResults();
    for (LoadOp load : early) {
      IRMapping here = current;
      load->replaceAllUsesWith(
          issue(builder, load, here, {}, {})->getResults());
    }
    if (isLate)
      builder.setInsertionPoint(walk.getBody().getTerminator());
    if (!ahead.empty())
      issueNext(builder, ahead, carried, arrived);
    removeDead();
  }

private:
  Operation *issue(OpBuilder &builder, LoadOp load, IRMapping &point,
                   Value condition, Value place) {
    auto indices = llvm::map_to_vector(load.getIndices(), [&](Value index) {
      return walk.compute(builder, index, point);
    });
    return LoadOp::create(builder, load.getLoc(), load.getResult().getType(),
                          load.getSource(), indices, condition, place,
                          load.getAlongAttr());
  }

  /// Computes those indices of `loads` at a point that may only be computed if
  /// the point is `reached`; else they are 0.
  void computeIndices(OpBuilder &builder, ArrayRef<LoadOp> loads,
                      IRMapping &point, Value reached) {
    llvm::SetVector<Value> indices;
    for (LoadOp load : loads)
      for (Value index : load.getIndices())
        if (!walk.isHarmless(index))
          indices.insert(index);
    if (indices.empty())
      return;
    auto branch = scf::IfOp::create(
        builder, loc, reached,
        [&](OpBuilder &inner, Location) {
          IRMapping here = point;
          auto computed = llvm::map_to_vector(indices, [&](Value index) {
            return walk.compute(inner, index, here);
          });
          scf::YieldOp::create(inner, loc, computed);
        },
        [&](OpBuilder &inner, Location) {
          Value none = arith::ConstantIndexOp::create(inner, loc, 0);
          scf::YieldOp::create(inner, loc,
                               SmallVector<Value>(indices.size(), none));
        });
    point.map(indices.getArrayRef(), branch.getResults());
  }

  /// The loads of the first iterations, in the order in which they are carried.
  SmallVector<Value> issueFirst(ArrayRef<LoadOp> ahead) {
    SmallVector<Value> tiles(ahead.size() * stages);
    if (ahead.empty())
      return tiles;
    for (size_t at = 0; at < tiles.size(); ++at) {
      LoadOp load = ahead[at / stages];
      tiles[at] = EmptyOp::create(before, loc, load.getResult().getType());
    }
    IRMapping point = walk.getFirst(before);
    Value reached;
    for (int64_t stage = 0; stage < stages - 1; ++stage) {
      if (stage > 0)
        point = walk.getNext(before, point);
      reached = also(before, reached, walk.isReached(before, point));
      IRMapping here = point;
      computeIndices(before, ahead, here, reached);
      for (auto [number, load] : llvm::enumerate(ahead)) {
        Value &tile = tiles[number * stages + stage];
        tile = issue(before, load, here, reached, tile)->getResult(0);
      }
    }
    return tiles;
  }

  void issueNext(OpBuilder &builder, ArrayRef<LoadOp> ahead, ValueRange carried,
                 ArrayRef<Value> arrived) {
    IRMapping point = walk.getCurrent(), next;
    Value reached;
    for (int64_t stage = 1; stage < stages; ++stage) {
      point = walk.getNext(builder, point);
      if (stage == 1)
        next = point;
      reached = also(builder, reached, walk.isReached(builder, point));
    }
    computeIndices(builder, ahead, point, reached);
    MutableArrayRef<OpOperand> nexts =
        walk.getNexts().take_back(ahead.size() * stages);
    for (auto [number, load] : llvm::enumerate(ahead)) {
      size_t first = number * stages, last = first + stages - 1;
      Value tile =
          issue(builder, load, point, reached, carried[last])->getResult(0);
      for (size_t at = first; at + 1 < last; ++at)
        nexts[at].set(carried[at + 1]);
      nexts[last - 1].set(tile);
      nexts[last].set(carried[first]);
    }
    for (auto [load, tile] : llvm::zip(ahead, arrived))
      load->replaceAllUsesWith(ValueRange(tile));
    walk.goOnWith(next);
  }

  Value also(OpBuilder &builder, Value condition, Value other) {
    if (!condition)
      return other;
    return arith::AndIOp::create(builder, loc, condition, other);
  }

  /// Removes the loads and what computed the point that the loop goes on with.
  void removeDead() {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(walk.getBody())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  LoopWalk &walk;
  OpBuilder before;
  Location loc;
  int64_t stages;
  /// Whether loads are issued at the end of an iteration.
  bool isLate;
};

struct PipelineLoadsPass
    : stof::impl::PipelineLoadsPassBase<PipelineLoadsPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    SmallVector<Operation *> loops;
    kernel.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op) && !op->getParentOfType<MapOp>())
        loops.push_back(op);
    });
    auto schedule = kernel->getAttrOfType<DictionaryAttr>(scheduleAttr);
    int64_t wanted = stages, available = capacity;
    if (schedule)
      if (auto scheduled = schedule.getAs<IntegerAttr>(stagesEntry)) {
        wanted = scheduled.getInt();
        available = scheduledCapacity;
      }
    int64_t most = 1;
    for (Operation *loop : loops)
      most = std::max(most, pipeline(loop, wanted, available));
    if (!schedule || most == 1)
      return;
    NamedAttrList entries(schedule);
    entries.set(stagesEntry, Builder(kernel).getI64IntegerAttr(most));
    kernel->setAttr(scheduleAttr, entries.getDictionary(kernel.getContext()));
  }

private:
  static constexpr StringLiteral scheduleAttr = "stof.schedule",
                                 stagesEntry = "stages";

  /// Returns how many tiles of a load are in memory at a time, at most
  /// `wanted`, and all of them in `available` bytes.
  int64_t pipeline(Operation *loop, int64_t wanted, int64_t available) {
    LoopWalk walk(loop);
    if (mayWrite(loop) || !walk.isKnown())
      return 1;
    SmallVector<LoadOp> loads = getLoads(walk);
    if (loads.empty())
      return 1;
    available -= getBytesAround(loop);
    int64_t inUse = getBytesInUse(loop), each = 0;
    for (LoadOp load : loads)
      each += getSharedBytes(load);
    // The first point beyond the end is computed in any case, those after it
    // are not.
    int64_t count = walk.isHarmless() ? wanted : std::min<int64_t>(wanted, 2);
    while (count > 2 && inUse + (count - 1) * each > available)
      --count;
    size_t ahead = 0;
    for (LoadOp load : loads) {
      inUse += (count - 1) * getSharedBytes(load);
      if (count < 2 || inUse > available)
        break;
      ++ahead;
    }
    ArrayRef<LoadOp> all = loads;
    bool isLate = warpgroups && hasOnlySums(walk.getBody());
    Pipeliner(walk, loop, count, isLate)
        .run(all.take_front(ahead), all.drop_front(ahead));
    return ahead > 0 ? count : 1;
  }
};
} // namespace

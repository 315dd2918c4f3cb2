//===----------------------------------------------------------------------===//
// The pass that pipelines loads of shared tiles.
//
// A load that is issued `stages` - 1 iterations ahead has `stages` buffers. The
// loop carries its tiles in order of their iterations, starting with that of
// the current one; the last is the free buffer. At the start of an iteration it
//   1. waits once for all tiles of the iteration,
//   2. issues loads that are only moved up within the iteration,
//   3. issues the loads ahead into the free buffers, or at the end of the
//      iteration if wgmma is in flight until then.
// The wait synchronises all threads, so the buffers of the previous iteration
// are free after it.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "LoopSlice.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

namespace stof {
#define GEN_PASS_DEF_PIPELINELOADSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

/// Whether all contractions of an iteration are computed by wgmma and only
/// yield their accumulators, hence can be in flight until its end.
static bool hasOnlyAccumulators(Block &body) {
  auto waits = body.getOps<WgmmaWaitOp>();
  return !waits.empty() && body.getOps<ContractOp>().empty() &&
         llvm::all_of(waits, [&](WgmmaWaitOp wait) {
           return llvm::all_of(wait->getUsers(), [&](Operation *user) {
             return user == body.getTerminator();
           });
         });
}

/// The bytes of all shared tiles used in `loop`.
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

/// The bytes of shared tiles used in the loops around `loop`, but not in it.
static int64_t getBytesAround(Operation *loop) {
  Operation *outermost = loop;
  while (isa<scf::ForOp, scf::WhileOp>(outermost->getParentOp()))
    outermost = outermost->getParentOp();
  return getBytesInUse(outermost) - getBytesInUse(loop);
}

namespace {
/// Pipelines the loads of one loop.
class Pipeliner {
public:
  Pipeliner(LoopSlice &slice, Operation *loop, int64_t stages, bool isLate)
      : slice(slice), before(loop), loc(loop->getLoc()), stages(stages),
        isLate(isLate) {}

  void run(ArrayRef<LoadOp> ahead, ArrayRef<LoadOp> early) {
    assert((ahead.empty() || stages > 1) && "loads ahead need a free buffer");
    ValueRange carried = slice.carry(issueFirst(ahead));
    OpBuilder builder = OpBuilder::atBlockBegin(&slice.getBody());
    IRMapping current = slice.getCurrent();
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
      builder.setInsertionPoint(slice.getBody().getTerminator());
    if (!ahead.empty())
      issueNext(builder, ahead, carried, arrived);
    removeDead();
  }

private:
  Operation *issue(OpBuilder &builder, LoadOp load, IRMapping &point,
                   Value condition, Value buffer) {
    auto indices = llvm::map_to_vector(load.getIndices(), [&](Value index) {
      return slice.compute(builder, index, point);
    });
    return LoadOp::create(builder, load.getLoc(), load.getResult().getType(),
                          load.getSource(), indices, condition, buffer,
                          load.getAlongAttr(), load.getBlocksAttr());
  }

  /// Computes the indices of `loads` at `point` that cannot be speculated,
  /// under the condition that the point is `reached`; else they are 0.
  void computeIndices(OpBuilder &builder, ArrayRef<LoadOp> loads,
                      IRMapping &point, Value reached) {
    llvm::SetVector<Value> indices;
    for (LoadOp load : loads)
      for (Value index : load.getIndices())
        if (!slice.isHarmless(index))
          indices.insert(index);
    if (indices.empty())
      return;
    auto branch = scf::IfOp::create(
        builder, loc, reached,
        [&](OpBuilder &inner, Location) {
          IRMapping here = point;
          auto computed = llvm::map_to_vector(indices, [&](Value index) {
            return slice.compute(inner, index, here);
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

  /// Issues the loads of the first iterations; returns the inits to carry.
  SmallVector<Value> issueFirst(ArrayRef<LoadOp> ahead) {
    SmallVector<Value> tiles(ahead.size() * stages);
    if (ahead.empty())
      return tiles;
    for (size_t at = 0; at < tiles.size(); ++at) {
      LoadOp load = ahead[at / stages];
      tiles[at] = EmptyOp::create(before, loc, load.getResult().getType());
    }
    IRMapping point = slice.getFirst(before);
    Value reached;
    for (int64_t stage = 0; stage < stages - 1; ++stage) {
      if (stage > 0)
        point = slice.getNext(before, point);
      reached = also(before, reached, slice.isReached(before, point));
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
    IRMapping point = slice.getCurrent(), next;
    Value reached;
    for (int64_t stage = 1; stage < stages; ++stage) {
      point = slice.getNext(builder, point);
      if (stage == 1)
        next = point;
      reached = also(builder, reached, slice.isReached(builder, point));
    }
    computeIndices(builder, ahead, point, reached);
    MutableArrayRef<OpOperand> nexts =
        slice.getNexts().take_back(ahead.size() * stages);
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
    slice.goOnWith(next);
  }

  Value also(OpBuilder &builder, Value condition, Value other) {
    if (!condition)
      return other;
    return arith::AndIOp::create(builder, loc, condition, other);
  }

  /// Removes the original loads and the original computation of the point.
  void removeDead() {
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(slice.getBody())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  LoopSlice &slice;
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
    DictionaryAttr schedule = stof::scheduleAttr.get(kernel);
    int64_t wanted = stages, available = capacity;
    if (schedule)
      if (auto scheduled = schedule.getAs<IntegerAttr>(stof::stagesEntry)) {
        wanted = scheduled.getInt();
        available = scheduledCapacity;
      }
    // Channels keep their memory.
    kernel.walk([&](SharedMemoryOpInterface op) {
      if (op.isKept())
        available -= op.getSharedBytes();
    });
    int64_t most = 1;
    for (Operation *loop : loops)
      most = std::max(most, pipeline(loop, wanted, available));
    if (!schedule || most == 1)
      return;
    NamedAttrList entries(schedule);
    entries.set(stof::stagesEntry, Builder(kernel).getI64IntegerAttr(most));
    stof::scheduleAttr.set(kernel, entries.getDictionary(&getContext()));
  }

private:
  /// Pipelines `loop` with at most `wanted` stages in `available` bytes;
  /// returns the number of stages.
  int64_t pipeline(Operation *loop, int64_t wanted, int64_t available) {
    LoopSlice slice(loop);
    if (mayWrite(loop) || !slice.isKnown())
      return 1;
    SmallVector<LoadOp> loads = slice.getLoads();
    if (loads.empty())
      return 1;
    available -= getBytesAround(loop);
    int64_t inUse = getBytesInUse(loop), each = 0;
    for (LoadOp load : loads)
      each += getSharedBytes(load);
    // The loop computes the first point beyond its end anyway, but later ones
    // only speculatively.
    int64_t count = slice.isHarmless() ? wanted : std::min<int64_t>(wanted, 2);
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
    bool isLate = hasOnlyAccumulators(slice.getBody());
    Pipeliner(slice, loop, count, isLate)
        .run(all.take_front(ahead), all.drop_front(ahead));
    return ahead > 0 ? count : 1;
  }
};
} // namespace

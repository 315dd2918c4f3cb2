//===----------------------------------------------------------------------===//
// The pass that inserts barriers. Tile kernels are sequential programs of a
// CTA; barriers order conflicting accesses of its threads.
//
// The pass visits operations in program order and tracks accesses since the
// last barrier. An operation that conflicts with them gets a barrier in front.
// A wait completes asynchronous loads of the waiting thread only; their groups
// complete in order. Loops are visited until the state at their start is a
// fixed point. Carried tiles are renamed at the end of an iteration, their
// memory stays.
//
// States of mlir::dataflow only grow. A barrier that a larger state requires
// empties the state after it, so those of earlier visits would cause barriers
// that no access needs; hence the fixed point is computed here.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "MemoryRange.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/Roles.h"
#include "stof/Tile/SharedMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stof {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

namespace {
/// The memory effects of an operation and of those in its regions.
struct Effects {
  MemoryRanges reads, writes;
  /// Written by asynchronous copies.
  MemoryRanges copies;
  /// Whether the lowered operation has a barrier after its writes and before
  /// its reads.
  bool synchronizes = false;
};

/// Accesses that are not yet synchronised.
struct State {
  MemoryRanges reads, writes;
  /// The memory written by groups of asynchronous copies in flight, oldest
  /// first.
  SmallVector<MemoryRanges> groups;
  /// Whether the order of groups is known; if not, a wait is for all of them.
  bool ordered = true;

  bool operator==(const State &other) const {
    return reads == other.reads && writes == other.writes &&
           groups == other.groups && ordered == other.ordered;
  }
  void synchronize() {
    reads.clear();
    writes.clear();
  }
};
} // namespace

/// Adds the effects of an operation on global memory. Effects on no value keep
/// an operation where it is, but access no memory.
static void addGlobalEffects(MemoryEffectOpInterface op, Effects &effects) {
  SmallVector<MemoryEffects::EffectInstance> instances;
  op.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    Value memory = instance.getValue();
    if (!memory || !isa<BaseMemRefType>(memory.getType()))
      continue;
    if (isa<MemoryEffects::Read>(instance.getEffect()))
      addRanges(effects.reads, getGlobalRange(memory));
    else if (isa<MemoryEffects::Write>(instance.getEffect()))
      addRanges(effects.writes, getGlobalRange(memory));
  }
}

static void addSharedEffects(SharedMemoryOpInterface op, Effects &effects) {
  SmallVector<SharedAccess> accesses;
  op.getSharedAccesses(accesses);
  for (const SharedAccess &access : accesses) {
    MemoryRanges ranges = access.tile ? getTileRanges(access.tile)
                                      : MemoryRanges{getAllocatedRange(op)};
    switch (access.kind) {
    case SharedAccess::Kind::Read:
      addRanges(effects.reads, ranges);
      break;
    case SharedAccess::Kind::Write:
      addRanges(effects.writes, ranges);
      break;
    case SharedAccess::Kind::AsyncWrite:
      addRanges(effects.copies, ranges);
      break;
    }
  }
  effects.synchronizes |= op.synchronizes();
}

static Effects getEffects(Operation *op) {
  Effects effects;
  effects.synchronizes = isa<gpu::BarrierOp>(op);
  op->walk([&](Operation *inner) {
    if (auto memory = dyn_cast<MemoryEffectOpInterface>(inner))
      addGlobalEffects(memory, effects);
    if (auto shared = dyn_cast<SharedMemoryOpInterface>(inner))
      addSharedEffects(shared, effects);
  });
  return effects;
}

namespace {
class BarrierInserter {
public:
  /// Visits `block` and updates `state`; inserts barriers if `insert` is set.
  void walk(Block &block, State &state, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        visitLoop(loop, state, insert);
      else if (isa<scf::IfOp>(op))
        visitBranch(op, state, insert);
      else if (auto roles = dyn_cast<WarpSpecializeOp>(op))
        visitRoles(roles, state, insert);
      else
        visit(op, state, insert);
    }
  }

private:
  void visitBranch(Operation &op, State &state, bool insert) {
    State before = state, after;
    bool first = true;
    for (Region &region : op.getRegions()) {
      State end = before;
      if (!region.empty())
        walk(region.front(), end, insert);
      after = first ? end : join(after, end);
      first = false;
    }
    state = after;
  }

  /// All threads meet before they take their roles, with their copies complete:
  /// a role cannot wait for those of the other. Channels order what they share.
  void visitRoles(WarpSpecializeOp roles, State &state, bool insert) {
    if (insert && !state.groups.empty()) {
      OpBuilder builder(roles);
      NVVM::CpAsyncWaitGroupOp::create(builder, roles.getLoc(), /*n=*/0);
    }
    state = State();
    for (Region &role : roles->getRegions()) {
      State inRole;
      walk(role.front(), inRole, insert);
    }
  }

  void visitLoop(LoopLikeOpInterface loop, State &state, bool insert) {
    State start = state;
    renameAll(start,
              [&](const MemoryRange &range) { return enter(loop, range); });
    while (true) {
      State end = start;
      visitIteration(loop, end, /*insert=*/false);
      State joined = join(start, end);
      if (joined == start)
        break;
      start = joined;
    }
    State end = start;
    // A loop exits where its condition is evaluated.
    state = visitIteration(loop, end, insert);
    renameAll(state,
              [&](const MemoryRange &range) { return leave(loop, range); });
  }

  /// Visits one iteration, up to the start of the next; returns the state at
  /// the exit of the loop.
  State visitIteration(LoopLikeOpInterface loop, State &state, bool insert) {
    State left = state;
    for (Region &region : loop->getRegions()) {
      walk(region.front(), state, insert);
      if (isa<scf::WhileOp>(loop) && &region == &loop->getRegion(0))
        left = state;
    }
    renameAll(state,
              [&](const MemoryRange &range) { return goOn(loop, range); });
    return isa<scf::ForOp, scf::WhileOp>(loop) ? left : join(left, state);
  }

  static MemoryRanges getCarriedRange(Operation *loop, size_t number) {
    return {MemoryRange{Value(), {loop, static_cast<unsigned>(number)}}};
  }

  /// Renames memory from before a loop to its first iteration.
  static MemoryRanges enter(LoopLikeOpInterface loop,
                            const MemoryRange &range) {
    if (!range.buffer)
      for (auto [number, init] : llvm::enumerate(loop.getInits()))
        if (isa<SharedType>(init.getType()) && getTileRanges(init)[0] == range)
          return getCarriedRange(loop, number);
    return {range};
  }

  /// Renames memory from one iteration to the next.
  static MemoryRanges goOn(LoopLikeOpInterface loop, const MemoryRange &range) {
    // Tiles of a CTA are those of as many CTAs, which no barrier would order.
    if (range.buffer && stof::tileLoopAttr.isOn(loop))
      return {};
    if (range.carried.loop == loop)
      for (auto [number, next] : llvm::enumerate(loop.getYieldedValues()))
        if (isa<SharedType>(next.getType()) &&
            getCarried(getOrigin(next)) == range.carried)
          return getCarriedRange(loop, number);
    return {range};
  }

  /// Renames memory from a loop to the code after it.
  static MemoryRanges leave(LoopLikeOpInterface loop,
                            const MemoryRange &range) {
    return range.carried.loop == loop ? getCarriedRanges(loop)
                                      : MemoryRanges{range};
  }

  static void
  renameAll(State &state,
            function_ref<MemoryRanges(const MemoryRange &)> rename) {
    auto renameRanges = [&](MemoryRanges &ranges) {
      MemoryRanges renamed;
      for (const MemoryRange &range : ranges)
        addRanges(renamed, rename(range));
      ranges = renamed;
    };
    renameRanges(state.reads);
    renameRanges(state.writes);
    for (MemoryRanges &group : state.groups)
      renameRanges(group);
  }

  /// The union of two states. Older groups may be complete in one of them,
  /// since a wait counts only younger groups.
  static State join(const State &lhs, const State &rhs) {
    State joined = lhs;
    addRanges(joined.reads, rhs.reads);
    addRanges(joined.writes, rhs.writes);
    joined.ordered &= rhs.ordered;
    ArrayRef<MemoryRanges> longer = lhs.groups, shorter = rhs.groups;
    if (longer.size() < shorter.size())
      std::swap(longer, shorter);
    if (longer.take_back(shorter.size()) == shorter) {
      joined.groups = SmallVector<MemoryRanges>(longer);
      return joined;
    }
    for (const MemoryRanges &group : rhs.groups)
      if (!llvm::is_contained(joined.groups, group))
        joined.groups.push_back(group);
    joined.ordered = false;
    return joined;
  }

  void visit(Operation &op, State &state, bool insert) {
    Effects effects = getEffects(&op);
    MemoryRanges written = effects.writes;
    addRanges(written, effects.copies);
    MemoryRanges touched = written;
    addRanges(touched, effects.reads);

    // Copies must complete before their memory is read or written again.
    int64_t waitFor = -1;
    for (auto [number, group] : llvm::enumerate(state.groups))
      if (overlap(group, touched))
        waitFor = number;
    bool conflict = waitFor >= 0 || overlap(state.writes, touched) ||
                    overlap(state.reads, written);
    if (conflict) {
      OpBuilder builder(&op);
      if (waitFor >= 0) {
        if (!state.ordered)
          waitFor = state.groups.size() - 1;
        int64_t younger = state.groups.size() - 1 - waitFor;
        if (insert)
          NVVM::CpAsyncWaitGroupOp::create(builder, op.getLoc(), younger);
        state.groups.erase(state.groups.begin(),
                           state.groups.begin() + waitFor + 1);
        state.ordered |= state.groups.empty();
      }
      if (insert)
        createBarrier(builder, op.getLoc());
      state.synchronize();
    }
    if (effects.synchronizes)
      state.synchronize();
    else
      addRanges(state.writes, effects.writes);
    // Other threads may still read after the barrier of the operation.
    addRanges(state.reads, effects.reads);
    if (!effects.copies.empty())
      state.groups.push_back(effects.copies);
  }
};

struct InsertBarriersPass
    : stof::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(checkSharedOffsets(getOperation())) ||
        failed(checkTileBuffers(getOperation())))
      return signalPassFailure();
    State state;
    BarrierInserter().walk(getOperation().getBody().front(), state,
                           /*insert=*/true);
  }
};
} // namespace

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
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "TileBuffers.h"
#include "stof/Tile/SharedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace stof {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

namespace {
/// Memory that accesses may conflict in: a range of shared memory, the buffer
/// of a loop-carried tile, or a whole buffer in global memory.
struct MemoryRange {
  Value buffer;
  Carried carried;
  int64_t first = 0, end = 0;

  bool overlaps(const MemoryRange &other) const;
  bool operator==(const MemoryRange &other) const {
    return buffer == other.buffer && carried == other.carried &&
           first == other.first && end == other.end;
  }
};

using MemoryRanges = SmallVector<MemoryRange>;

/// The memory effects of an operation.
struct Effects {
  MemoryRanges reads, writes;
  /// Written by an asynchronous load.
  MemoryRanges loads;
  /// Whether the lowered operation has a barrier after its writes and before
  /// its reads.
  bool synchronizes = false;
};

/// Accesses that are not yet synchronised.
struct State {
  MemoryRanges reads, writes;
  /// The memory written by groups of asynchronous loads in flight, oldest
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

static void addRanges(MemoryRanges &ranges, ArrayRef<MemoryRange> more) {
  for (const MemoryRange &range : more)
    if (!llvm::is_contained(ranges, range))
      ranges.push_back(range);
}

static bool overlap(ArrayRef<MemoryRange> ranges,
                    ArrayRef<MemoryRange> others) {
  return llvm::any_of(ranges, [&](const MemoryRange &range) {
    return llvm::any_of(others, [&](const MemoryRange &other) {
      return range.overlaps(other);
    });
  });
}

/// The underlying buffer of a view. Arguments of kernels do not alias.
static MemoryRange getBuffer(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return {memory, Carried()};
}

static MemoryRange getOwnRange(Operation *op) {
  int64_t first = op->getAttrOfType<IntegerAttr>(offsetAttr).getInt();
  return {Value(), Carried(), first, first + getSharedBytes(op)};
}

/// The buffers of the tiles that a loop carries.
static MemoryRanges getRing(Operation *loop) {
  MemoryRanges ring;
  for (Value init : getInits(loop))
    if (isa<SharedType>(init.getType()))
      ring.push_back(getOwnRange(getOrigin(init).getDefiningOp()));
  return ring;
}

bool MemoryRange::overlaps(const MemoryRange &other) const {
  if (buffer || other.buffer)
    return buffer == other.buffer;
  if (carried.loop && carried.loop == other.carried.loop)
    return carried.number == other.carried.number;
  if (carried.loop)
    return llvm::any_of(getRing(carried.loop), [&](MemoryRange range) {
      return range.overlaps(other);
    });
  if (other.carried.loop)
    return other.overlaps(*this);
  return first < other.end && other.first < end;
}

/// The memory that a shared tile may be stored in.
static MemoryRanges getTileRanges(Value tile) {
  MemoryRanges ranges;
  SmallVector<Value> sources = {tile};
  while (!sources.empty()) {
    Value value = getOrigin(sources.pop_back_val());
    if (Carried carried = getCarried(value); carried.loop) {
      addRanges(ranges, MemoryRange{Value(), carried});
      continue;
    }
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      sources.append({select.getTrueValue(), select.getFalseValue()});
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      sources.push_back(branch.thenYield().getOperand(number));
      sources.push_back(branch.elseYield().getOperand(number));
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      addRanges(ranges, getRing(op));
    } else {
      addRanges(ranges, getOwnRange(op));
    }
  }
  return ranges;
}

static Effects getEffects(Operation *op) {
  Effects effects;
  if (auto load = dyn_cast<LoadOp>(op)) {
    effects.reads.push_back(getBuffer(load.getSource()));
    if (isa<SharedType>(load.getResult().getType()))
      effects.loads = getTileRanges(load.getResult());
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    effects.writes.push_back(getBuffer(store.getDestination()));
  } else if (isa<ContractOp, WgmmaFenceOp, WgmmaOp, AwaitOp>(op)) {
    for (Value operand : op->getOperands())
      if (isa<SharedType>(operand.getType()))
        addRanges(effects.reads, getTileRanges(operand));
  } else if (isa<ConvertOp, ReduceOp>(op) && getSharedBytes(op) > 0) {
    effects.writes.push_back(getOwnRange(op));
    effects.synchronizes = isa<FragmentType>(op->getResult(0).getType());
  } else if (isa<MapOp, VisitOp, ExtractOp>(op)) {
    op->walk([&](Operation *inner) {
      if (auto load = dyn_cast<memref::LoadOp>(inner))
        addRanges(effects.reads, getBuffer(load.getMemRef()));
      else if (auto store = dyn_cast<memref::StoreOp>(inner))
        addRanges(effects.writes, getBuffer(store.getMemRef()));
      else if (auto extract = dyn_cast<ExtractOp>(inner))
        addRanges(effects.reads, getTileRanges(extract.getTile()));
    });
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    effects.reads.push_back(getBuffer(load.getMemRef()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    effects.writes.push_back(getBuffer(store.getMemRef()));
  } else if (isa<gpu::BarrierOp, AnyOp>(op)) {
    effects.synchronizes = true;
  }
  return effects;
}

namespace {
class BarrierInserter {
public:
  /// Visits `block` and updates `state`; inserts barriers if `insert` is set.
  void walk(Block &block, State &state, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<LoopLikeOpInterface>(op))
        visitLoop(op, state, insert);
      else if (isa<scf::IfOp>(op))
        visitBranch(op, state, insert);
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

  void visitLoop(Operation &op, State &state, bool insert) {
    State start = state;
    renameAll(start,
              [&](const MemoryRange &range) { return enter(op, range); });
    while (true) {
      State end = start;
      visitIteration(op, end, /*insert=*/false);
      State joined = join(start, end);
      if (joined == start)
        break;
      start = joined;
    }
    State end = start;
    // A loop exits where its condition is evaluated.
    state = visitIteration(op, end, insert);
    renameAll(state,
              [&](const MemoryRange &range) { return leave(op, range); });
  }

  /// Visits one iteration, up to the start of the next; returns the state at
  /// the exit of the loop.
  State visitIteration(Operation &op, State &state, bool insert) {
    State left = state;
    for (Region &region : op.getRegions()) {
      walk(region.front(), state, insert);
      if (isa<scf::WhileOp>(op) && &region == &op.getRegion(0))
        left = state;
    }
    renameAll(state, [&](const MemoryRange &range) { return goOn(op, range); });
    return isa<scf::ForOp, scf::WhileOp>(op) ? left : join(left, state);
  }

  /// Renames memory from before a loop to its first iteration.
  static MemoryRanges enter(Operation &op, const MemoryRange &range) {
    if (isa<scf::ForOp, scf::WhileOp>(op) && !range.buffer)
      for (auto [number, init] : llvm::enumerate(getInits(&op)))
        if (isa<SharedType>(init.getType()) && getTileRanges(init)[0] == range)
          return {MemoryRange{Value(), {&op, static_cast<unsigned>(number)}}};
    return {range};
  }

  /// Renames memory from one iteration to the next.
  static MemoryRanges goOn(Operation &op, const MemoryRange &range) {
    if (range.carried.loop == &op)
      for (auto [number, next] : llvm::enumerate(getNexts(&op)))
        if (isa<SharedType>(next.getType()) &&
            getCarried(getOrigin(next)) == range.carried)
          return {MemoryRange{Value(), {&op, static_cast<unsigned>(number)}}};
    return {range};
  }

  /// Renames memory from a loop to the code after it.
  static MemoryRanges leave(Operation &op, const MemoryRange &range) {
    return range.carried.loop == &op ? getRing(&op) : MemoryRanges{range};
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
    addRanges(written, effects.loads);
    MemoryRanges touched = written;
    addRanges(touched, effects.reads);

    // Loads must complete before their memory is read or written again.
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
        gpu::BarrierOp::create(builder, op.getLoc());
      state.synchronize();
    }
    if (effects.synchronizes) {
      state.synchronize();
      // Other threads may still read the temporary memory of the operation.
      addRanges(state.reads, effects.writes);
    } else {
      addRanges(state.reads, effects.reads);
      addRanges(state.writes, effects.writes);
    }
    if (!effects.loads.empty())
      state.groups.push_back(effects.loads);
  }
};

struct InsertBarriersPass
    : stof::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(checkSharedOffsets(getOperation())) ||
        failed(checkCarriedTiles(getOperation())))
      return signalPassFailure();
    State state;
    BarrierInserter().walk(getOperation().getBody().front(), state,
                           /*insert=*/true);
  }
};
} // namespace

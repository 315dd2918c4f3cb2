//===----------------------------------------------------------------------===//
// The pass that lets a block of threads behave as the one processor that a
// kernel is written for: it makes threads wait where one may read what another
// wrote, or overwrite what another may still read.
//
// Walking in program order it keeps what happened since the last barrier. An
// operation that conflicts with it gets a barrier in front. Asynchronous loads
// complete for the thread that waits for its group; groups complete in order.
// A loop is walked until what is known at its start no longer changes.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace stof {
#define GEN_PASS_DEF_INSERTBARRIERSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

namespace {
/// Memory that conflicts are looked for in: bytes of shared memory, or a whole
/// buffer in global memory.
struct Place {
  Value buffer;
  int64_t first = 0, end = 0;

  bool overlaps(const Place &other) const {
    if (buffer || other.buffer)
      return buffer == other.buffer;
    return first < other.end && other.first < end;
  }
  bool operator==(const Place &other) const {
    return buffer == other.buffer && first == other.first && end == other.end;
  }
};

using Places = SmallVector<Place>;

/// What an operation does to memory.
struct Effects {
  Places reads, writes;
  /// Written by an asynchronous load.
  std::optional<Place> loads;
  /// The operation has a barrier in it, after its writes, before its reads.
  bool synchronizes = false;
};

/// What other threads may not have seen yet.
struct State {
  Places reads, writes;
  /// Groups of asynchronous loads that are under way, the oldest first.
  Places groups;
  /// Whether their order is known; if not, waiting for one waits for all.
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

static void addPlaces(Places &places, ArrayRef<Place> more) {
  for (const Place &place : more)
    if (!llvm::is_contained(places, place))
      places.push_back(place);
}

static bool overlap(ArrayRef<Place> places, ArrayRef<Place> others) {
  return llvm::any_of(places, [&](const Place &place) {
    return llvm::any_of(
        others, [&](const Place &other) { return place.overlaps(other); });
  });
}

/// The buffer that a view looks at. Kernels get distinct buffers.
static Place getBuffer(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return {memory};
}

static Place getRoom(Operation *op) {
  int64_t first = op->getAttrOfType<IntegerAttr>(offsetAttr).getInt();
  return {Value(), first, first + getSharedBytes(op)};
}

/// The places that a shared tile may lie in.
static Places getTilePlaces(Value tile) {
  Places places;
  SmallVector<Value> sources = {tile};
  while (!sources.empty()) {
    Value value = sources.pop_back_val();
    Operation *op = value.getDefiningOp();
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      sources.append({select.getTrueValue(), select.getFalseValue()});
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      sources.push_back(branch.thenYield().getOperand(number));
      sources.push_back(branch.elseYield().getOperand(number));
    } else {
      addPlaces(places, getRoom(op));
    }
  }
  return places;
}

static Effects getEffects(Operation *op) {
  Effects effects;
  if (auto load = dyn_cast<LoadOp>(op)) {
    effects.reads.push_back(getBuffer(load.getSource()));
    if (getSharedBytes(op) > 0)
      effects.loads = getRoom(op);
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    effects.writes.push_back(getBuffer(store.getDestination()));
  } else if (auto contract = dyn_cast<ContractOp>(op)) {
    for (Value operand : contract->getOperands())
      if (isa<SharedType>(operand.getType()))
        addPlaces(effects.reads, getTilePlaces(operand));
  } else if (isa<ConvertOp, ReduceOp>(op) && getSharedBytes(op) > 0) {
    effects.writes.push_back(getRoom(op));
    effects.synchronizes = isa<FragmentType>(op->getResult(0).getType());
  } else if (auto map = dyn_cast<MapOp>(op)) {
    map.walk([&](memref::LoadOp load) {
      addPlaces(effects.reads, getBuffer(load.getMemRef()));
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
  /// Walks `block` from `state` on; inserts barriers if `insert`, else only
  /// finds out what holds at its end.
  void walk(Block &block, State &state, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isa<LoopLikeOpInterface>(op))
        walkLoop(op, state, insert);
      else if (isa<scf::IfOp>(op))
        walkBranch(op, state, insert);
      else
        visit(op, state, insert);
    }
  }

private:
  void walkBranch(Operation &op, State &state, bool insert) {
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

  void walkLoop(Operation &op, State &state, bool insert) {
    State start = state;
    while (true) {
      State end = start;
      for (Region &region : op.getRegions())
        walk(region.front(), end, /*insert=*/false);
      State joined = join(start, end);
      if (joined == start)
        break;
      start = joined;
    }
    State end = start;
    for (Region &region : op.getRegions())
      walk(region.front(), end, insert);
    state = join(start, end);
  }

  /// What may hold after either. That older groups are complete on one way
  /// makes no difference: waiting counts the younger ones.
  static State join(const State &lhs, const State &rhs) {
    State joined = lhs;
    addPlaces(joined.reads, rhs.reads);
    addPlaces(joined.writes, rhs.writes);
    joined.ordered &= rhs.ordered;
    ArrayRef<Place> longer = lhs.groups, shorter = rhs.groups;
    if (longer.size() < shorter.size())
      std::swap(longer, shorter);
    if (longer.take_back(shorter.size()) == shorter) {
      joined.groups = Places(longer);
      return joined;
    }
    addPlaces(joined.groups, rhs.groups);
    joined.ordered = false;
    return joined;
  }

  void visit(Operation &op, State &state, bool insert) {
    Effects effects = getEffects(&op);
    Places written = effects.writes;
    if (effects.loads)
      written.push_back(*effects.loads);
    Places touched = written;
    addPlaces(touched, effects.reads);

    // Loads into a place are complete before it is read or written again.
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
      // What the operation wrote for itself, other threads may still read.
      addPlaces(state.reads, effects.writes);
    } else {
      addPlaces(state.reads, effects.reads);
      addPlaces(state.writes, effects.writes);
    }
    if (effects.loads)
      state.groups.push_back(*effects.loads);
  }
};

struct InsertBarriersPass
    : stof::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(checkPlaces(getOperation())))
      return signalPassFailure();
    State state;
    BarrierInserter().walk(getOperation().getBody().front(), state,
                           /*insert=*/true);
  }
};
} // namespace

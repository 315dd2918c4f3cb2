//===----------------------------------------------------------------------===//
// The pass that lets a block of threads behave as the one processor that a
// kernel is written for: it makes threads wait where one may read what another
// wrote, or overwrite what another may still read.
//
// Walking in program order it keeps what happened since the last barrier. An
// operation that conflicts with it gets a barrier in front. Asynchronous loads
// complete for the thread that waits for its group; groups complete in order.
// A loop is walked until what is known at its start no longer changes. Tiles
// that it hands to its next iteration change their names there, not their
// places.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "Patterns.h"
#include "TilePlaces.h"

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
/// Memory that conflicts are looked for in: bytes of shared memory, those of a
/// tile that a loop carries, or a whole buffer in global memory.
struct Place {
  Value buffer;
  Carried carried;
  int64_t first = 0, end = 0;

  bool overlaps(const Place &other) const;
  bool operator==(const Place &other) const {
    return buffer == other.buffer && carried == other.carried &&
           first == other.first && end == other.end;
  }
};

using Places = SmallVector<Place>;

/// What an operation does to memory.
struct Effects {
  Places reads, writes;
  /// Written by an asynchronous load.
  Places loads;
  /// The operation has a barrier in it, after its writes, before its reads.
  bool synchronizes = false;
};

/// What other threads may not have seen yet.
struct State {
  Places reads, writes;
  /// What groups of asynchronous loads that are under way write, the oldest
  /// first.
  SmallVector<Places> groups;
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
  return {memory, Carried()};
}

static Place getRoom(Operation *op) {
  int64_t first = op->getAttrOfType<IntegerAttr>(offsetAttr).getInt();
  return {Value(), Carried(), first, first + getSharedBytes(op)};
}

/// The places that the tiles carried by a loop share.
static Places getRing(Operation *loop) {
  Places ring;
  for (Value init : getInits(loop))
    if (isa<SharedType>(init.getType()))
      ring.push_back(getRoom(getOrigin(init).getDefiningOp()));
  return ring;
}

bool Place::overlaps(const Place &other) const {
  if (buffer || other.buffer)
    return buffer == other.buffer;
  if (carried.loop && carried.loop == other.carried.loop)
    return carried.number == other.carried.number;
  if (carried.loop)
    return llvm::any_of(getRing(carried.loop),
                        [&](Place place) { return place.overlaps(other); });
  if (other.carried.loop)
    return other.overlaps(*this);
  return first < other.end && other.first < end;
}

/// The places that a shared tile may lie in.
static Places getTilePlaces(Value tile) {
  Places places;
  SmallVector<Value> sources = {tile};
  while (!sources.empty()) {
    Value value = getOrigin(sources.pop_back_val());
    if (Carried carried = getCarried(value); carried.loop) {
      addPlaces(places, Place{Value(), carried});
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
      addPlaces(places, getRing(op));
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
    if (isa<SharedType>(load.getResult().getType()))
      effects.loads = getTilePlaces(load.getResult());
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    effects.writes.push_back(getBuffer(store.getDestination()));
  } else if (isa<ContractOp, AwaitOp>(op)) {
    for (Value operand : op->getOperands())
      if (isa<SharedType>(operand.getType()))
        addPlaces(effects.reads, getTilePlaces(operand));
  } else if (isa<ConvertOp, ReduceOp>(op) && getSharedBytes(op) > 0) {
    effects.writes.push_back(getRoom(op));
    effects.synchronizes = isa<FragmentType>(op->getResult(0).getType());
  } else if (isa<MapOp, VisitOp, ExtractOp>(op)) {
    op->walk([&](Operation *inner) {
      if (auto load = dyn_cast<memref::LoadOp>(inner))
        addPlaces(effects.reads, getBuffer(load.getMemRef()));
      else if (auto store = dyn_cast<memref::StoreOp>(inner))
        addPlaces(effects.writes, getBuffer(store.getMemRef()));
      else if (auto extract = dyn_cast<ExtractOp>(inner))
        addPlaces(effects.reads, getTilePlaces(extract.getTile()));
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
    renameAll(start, [&](const Place &place) { return enter(op, place); });
    while (true) {
      State end = start;
      walkIteration(op, end, /*insert=*/false);
      State joined = join(start, end);
      if (joined == start)
        break;
      start = joined;
    }
    State end = start;
    // A loop is left where its condition is computed.
    state = walkIteration(op, end, insert);
    renameAll(state, [&](const Place &place) { return leave(op, place); });
  }

  /// Walks one iteration, up to the start of the next; returns what holds where
  /// the loop may be left.
  State walkIteration(Operation &op, State &state, bool insert) {
    State left = state;
    for (Region &region : op.getRegions()) {
      walk(region.front(), state, insert);
      if (isa<scf::WhileOp>(op) && &region == &op.getRegion(0))
        left = state;
    }
    renameAll(state, [&](const Place &place) { return goOn(op, place); });
    return isa<scf::ForOp, scf::WhileOp>(op) ? left : join(left, state);
  }

  /// The name of a place before a loop, in its first iteration.
  static Places enter(Operation &op, const Place &place) {
    if (isa<scf::ForOp, scf::WhileOp>(op) && !place.buffer)
      for (auto [number, init] : llvm::enumerate(getInits(&op)))
        if (isa<SharedType>(init.getType()) && getTilePlaces(init)[0] == place)
          return {Place{Value(), {&op, static_cast<unsigned>(number)}}};
    return {place};
  }

  /// The name of a place at the end of an iteration, in the next.
  static Places goOn(Operation &op, const Place &place) {
    if (place.carried.loop == &op)
      for (auto [number, next] : llvm::enumerate(getNexts(&op)))
        if (isa<SharedType>(next.getType()) &&
            getCarried(getOrigin(next)) == place.carried)
          return {Place{Value(), {&op, static_cast<unsigned>(number)}}};
    return {place};
  }

  /// The names of a place that a loop used, after the loop.
  static Places leave(Operation &op, const Place &place) {
    return place.carried.loop == &op ? getRing(&op) : Places{place};
  }

  static void renameAll(State &state,
                        function_ref<Places(const Place &)> rename) {
    auto renamePlaces = [&](Places &places) {
      Places renamed;
      for (const Place &place : places)
        addPlaces(renamed, rename(place));
      places = renamed;
    };
    renamePlaces(state.reads);
    renamePlaces(state.writes);
    for (Places &group : state.groups)
      renamePlaces(group);
  }

  /// What may hold after either. That older groups are complete on one way
  /// makes no difference: waiting counts the younger ones.
  static State join(const State &lhs, const State &rhs) {
    State joined = lhs;
    addPlaces(joined.reads, rhs.reads);
    addPlaces(joined.writes, rhs.writes);
    joined.ordered &= rhs.ordered;
    ArrayRef<Places> longer = lhs.groups, shorter = rhs.groups;
    if (longer.size() < shorter.size())
      std::swap(longer, shorter);
    if (longer.take_back(shorter.size()) == shorter) {
      joined.groups = SmallVector<Places>(longer);
      return joined;
    }
    for (const Places &group : rhs.groups)
      if (!llvm::is_contained(joined.groups, group))
        joined.groups.push_back(group);
    joined.ordered = false;
    return joined;
  }

  void visit(Operation &op, State &state, bool insert) {
    Effects effects = getEffects(&op);
    Places written = effects.writes;
    addPlaces(written, effects.loads);
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
    if (!effects.loads.empty())
      state.groups.push_back(effects.loads);
  }
};

struct InsertBarriersPass
    : stof::impl::InsertBarriersPassBase<InsertBarriersPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(checkPlaces(getOperation())) ||
        failed(checkCarriedTiles(getOperation())))
      return signalPassFailure();
    State state;
    BarrierInserter().walk(getOperation().getBody().front(), state,
                           /*insert=*/true);
  }
};
} // namespace

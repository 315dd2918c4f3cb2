//===----------------------------------------------------------------------===//
// The pass that overlaps an iteration of a mainloop with the next.
//
// A mainloop of back-to-back GEMMs has a chain of dependences in each
// iteration: the first contraction, elementwise operations, the second
// contraction. Here the second one runs in the next iteration, with the first
// one of that iteration in flight before it (FlashAttention-3, section 3.2):
//
//   for j:                        if there is an iteration:
//     s = q k[j]                    s = q k[0], p = f(s), acc = g(acc)
//     p = f(s)             =>       for j from 1 on:
//     acc = g(acc) + p v[j]           s' = q k[j]
//                                     acc = acc + p v[j - 1]
//                                     p' = f(s'), acc = g(acc)
//                                   acc = acc + p v[last]
//
// If several warpgroups run it, they take turns in both products: one of them
// multiplies while another computes f (section 3.1 there).
//
// The tail of an iteration are the operations that only the accumulator needs,
// its head all others. Tiles come from channels, in the order of their numbers,
// so the tail can receive its tile an iteration later. What it computes of the
// accumulator before the contraction, g, it does at once: while exponentials
// are computed, other units are idle.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "ConstantFragments.h"
#include "LoopSlice.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/Roles.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace stof {
#define GEN_PASS_DEF_OVERLAPITERATIONSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

/// The loop as an `scf.while` that carries the induction variable first.
/// Upstream has that as a pass on all loops only (scf-for-to-while).
static scf::WhileOp convertToWhile(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInits());
  auto converted = scf::WhileOp::create(
      builder, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &inner, Location, ValueRange values) {
        auto order = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                           : arith::CmpIPredicate::slt;
        Value more = arith::CmpIOp::create(inner, loc, order, values.front(),
                                           loop.getUpperBound());
        scf::ConditionOp::create(inner, loc, more, values);
      },
      /*afterBuilder=*/nullptr);
  converted.getAfter().takeBody(loop.getRegion());
  Operation *yield = converted.getAfterBody()->getTerminator();
  builder.setInsertionPoint(yield);
  Value next = arith::AddIOp::create(
      builder, loc, converted.getAfterArguments().front(), loop.getStep());
  yield->insertOperands(0, next);
  loop.replaceAllUsesWith(converted.getResults().drop_front());
  loop.erase();
  return converted;
}

namespace {
/// Overlaps the iterations of one loop.
class Overlapper {
public:
  explicit Overlapper(scf::WhileOp loop)
      : loop(loop), slice(loop), body(*loop.getAfterBody()),
        loc(loop.getLoc()) {}

  /// Divides the body; returns whether it has a head and a tail with a
  /// contraction each.
  bool divide();
  /// The number of warpgroups that take turns in the contractions, or 0.
  int64_t countTakers() const;
  void run();

private:
  using Values = SmallVector<Value>;

  /// Whether `op` belongs to the tail, given that its users are known to.
  bool isOfTail(Operation &op) const;
  /// Finds the operations of `update`; returns whether they only compute.
  bool findUpdate(ContractOp last);
  /// Finds `needed`; returns whether the tail can run an iteration later.
  bool findNeeded();

  /// Clones the operations of the body before or after the first contraction
  /// that belong to the head, or those of the tail.
  void cloneHead(OpBuilder &builder, IRMapping &map, bool first) const;
  void cloneTail(OpBuilder &builder, IRMapping &map) const;
  /// Clones what the tail computes of the accumulator, `current`, before its
  /// contraction. Returns the result.
  Value cloneUpdate(OpBuilder &builder, IRMapping &map, Value current) const;

  /// Releases tiles of the head, cloned under `map`, after its exponentials.
  /// ptxas moves the wait for the last contraction up to what it has to follow,
  /// a release for one: it would come before all exponentials. Returns the last
  /// of these operations, or null.
  Operation *releaseLate(const IRMapping &map) const;

  /// Lets warpgroups take turns from the first contraction to the last one.
  void takeTurns(const IRMapping &head, const IRMapping &tail) const;

  /// What an iteration hands on, under `map`: the carried values, then those
  /// that its tail needs. The accumulator has not been updated.
  Values getHandedOn(const IRMapping &map, Value accumulator) const;
  /// Maps what the tail of the iteration before needs.
  void enterTail(IRMapping &map, ValueRange handedOn) const;

  scf::WhileOp loop;
  LoopSlice slice;
  Block &body;
  Location loc;
  /// The number of the carried accumulator.
  unsigned accumulator = 0;
  Operation *firstContraction = nullptr;
  llvm::SmallDenseSet<Operation *> tail;
  /// The operations of the tail between the carried accumulator and
  /// `accumulated`, that of the last contraction.
  llvm::SmallDenseSet<Operation *> update;
  Value accumulated;
  /// Values of the head that the rest of the tail needs.
  llvm::SetVector<Value> needed;
};
} // namespace

bool Overlapper::isOfTail(Operation &op) const {
  if (auto release = dyn_cast<ReleaseOp>(op))
    return llvm::any_of(body.getOps<ReceiveOp>(), [&](ReceiveOp receive) {
      return receive.getChannel() == release.getChannel() &&
             tail.contains(receive);
    });
  return op.getNumResults() > 0 &&
         llvm::all_of(op.getUsers(),
                      [&](Operation *user) { return tail.contains(user); });
}

bool Overlapper::findUpdate(ContractOp last) {
  accumulated = last.getAccumulator();
  SmallVector<Value> updated{accumulated};
  while (!updated.empty()) {
    Operation *op = updated.pop_back_val().getDefiningOp();
    if (op && tail.contains(op) && update.insert(op).second)
      llvm::append_range(updated, getTaken(op));
  }
  return llvm::all_of(update, isMemoryEffectFree);
}

bool Overlapper::findNeeded() {
  // The tail has no part in what else is computed.
  for (Operation &op : body.without_terminator()) {
    if (!tail.contains(&op) || update.contains(&op))
      continue;
    for (Value value : getTaken(&op))
      if (slice.isInside(value) && value != body.getArgument(accumulator) &&
          !(value.getDefiningOp() && tail.contains(value.getDefiningOp())))
        needed.insert(value);
  }
  // A tile that both need is released an iteration earlier.
  bool sharesTile = llvm::any_of(
      needed, [](Value value) { return isa<SharedType>(value.getType()); });
  return !sharesTile &&
         llvm::all_of(body.getArgument(accumulator).getUsers(),
                      [&](Operation *user) { return tail.contains(user); });
}

bool Overlapper::divide() {
  auto contractions = llvm::to_vector(body.getOps<ContractOp>());
  if (contractions.size() != 2 || !slice.isKnown())
    return false;
  firstContraction = contractions.front();
  ContractOp last = contractions.back();
  Operation *yield = body.getTerminator();
  auto yielded = llvm::find(yield->getOperands(), last.getResult());
  if (!last.getResult().hasOneUse() || yielded == yield->operand_end() ||
      !isa<FragmentType>(last.getLhs().getType()))
    return false;
  accumulator = yielded.getIndex();
  // Passed on from the condition unchanged.
  if (loop.getConditionOp().getArgs()[accumulator] !=
      loop.getBeforeArguments()[accumulator])
    return false;
  tail.insert(last);
  // Releases follow the receipts that they belong to.
  for (bool grown = true; grown;) {
    grown = false;
    for (Operation &op : llvm::reverse(body.without_terminator()))
      if (!tail.contains(&op) && &op != firstContraction && isOfTail(op)) {
        tail.insert(&op);
        grown = true;
      }
  }
  // What computes the lhs of the second contraction belongs to the head, or
  // nothing would overlap.
  SmallVector<Value> head{last.getLhs()};
  while (!head.empty()) {
    Operation *op = head.pop_back_val().getDefiningOp();
    if (op && op->getBlock() == &body && tail.erase(op))
      llvm::append_range(head, getTaken(op));
  }
  return findUpdate(last) && findNeeded();
}

void Overlapper::cloneHead(OpBuilder &builder, IRMapping &map,
                           bool first) const {
  for (Operation &op : body.without_terminator()) {
    bool before = !firstContraction->isBeforeInBlock(&op);
    if (before == first && !tail.contains(&op))
      builder.clone(op, map);
  }
}

void Overlapper::cloneTail(OpBuilder &builder, IRMapping &map) const {
  for (Operation &op : body.without_terminator())
    if (tail.contains(&op) && !update.contains(&op))
      builder.clone(op, map);
}

Value Overlapper::cloneUpdate(OpBuilder &builder, IRMapping &map,
                              Value current) const {
  // Zeroes stay zeroes.
  if (isZero(current))
    return current;
  map.map(body.getArgument(accumulator), current);
  for (Operation &op : body.without_terminator())
    if (update.contains(&op))
      builder.clone(op, map);
  return map.lookupOrDefault(accumulated);
}

/// Whether `value` is a tile of exponentials in f32.
static bool isExponential(Value value) {
  auto map = value.getDefiningOp<MapOp>();
  return map && map.getNumResults() == 1 &&
         cast<FragmentType>(value.getType()).getShape().size() == 2 &&
         map.getBody()
             .front()
             .getTerminator()
             ->getOperand(0)
             .getDefiningOp<math::Exp2Op>() &&
         getElementTypeOrSelf(value.getType()).isF32();
}

/// The exponentials that the lhs of the last contraction is, or is computed
/// from; null if there are none.
static Value getExponentials(Block &body) {
  ContractOp last = *std::next(body.getOps<ContractOp>().begin());
  SmallVector<Value> candidates{last.getLhs()};
  if (auto map = last.getLhs().getDefiningOp<MapOp>())
    llvm::append_range(candidates, map.getInputs());
  auto found = llvm::find_if(candidates, isExponential);
  return found == candidates.end() ? Value() : *found;
}

Operation *Overlapper::releaseLate(const IRMapping &map) const {
  Value weights = getExponentials(body);
  if (!weights)
    return nullptr;
  Value computed = map.lookup(weights);
  Operation *place = computed.getDefiningOp();
  for (ReleaseOp release : body.getOps<ReleaseOp>()) {
    if (tail.contains(release))
      continue;
    // By its position: an operation without results has no clone to look up.
    auto clone = llvm::find_if(
        computed.getParentBlock()->getOps<ReleaseOp>(), [&](ReleaseOp other) {
          return other.getChannel() == release.getChannel() &&
                 other.getNumber() == map.lookupOrDefault(release.getNumber());
        });
    (*clone).getAfterMutable().assign(computed);
    (*clone)->moveAfter(place);
    place = *clone;
  }
  return place;
}

/// The number of warpgroups that consume in `block`, if they are the one group.
static int64_t countWarpgroups(Block *block) {
  Region *role = getRole(block);
  auto roles =
      role ? cast<WarpSpecializeOp>(role->getParentOp()) : WarpSpecializeOp();
  bool areWhole = roles && roles.getConsumerGroups() == 1 &&
                  roles.getConsumerWarps() % warpsPerGroup == 0;
  return areWhole ? roles.getConsumerWarps() / warpsPerGroup : 0;
}

/// Whether no operation in `block` makes the warps of a role meet: a warpgroup
/// whose turn it is would wait for those that wait for theirs.
static bool runsApart(Block &block) {
  WalkResult meeting = block.walk([](SharedMemoryOpInterface op) {
    return op.synchronizes() || op.getSharedBytes() > 0
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !meeting.wasInterrupted();
}

int64_t Overlapper::countTakers() const {
  int64_t warpgroups = countWarpgroups(loop->getBlock());
  return warpgroups > 1 && runsApart(body) ? warpgroups : 0;
}

void Overlapper::takeTurns(const IRMapping &head, const IRMapping &tail) const {
  if (countTakers() == 0)
    return;
  Value update = body.getTerminator()->getOperand(accumulator);
  Operation *first =
      head.lookup(firstContraction->getResult(0)).getDefiningOp();
  Operation *last = tail.lookup(update).getDefiningOp();
  OpBuilder at(first);
  BeginTurnOp::create(at, loc, /*warpgroups=*/true);
  at.setInsertionPointAfter(last);
  EndTurnOp::create(at, loc, /*warpgroups=*/true);
}

SmallVector<Value> Overlapper::getHandedOn(const IRMapping &map,
                                           Value current) const {
  Values values;
  for (auto [number, next] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    values.push_back(number == accumulator ? current
                                           : map.lookupOrDefault(next));
  for (Value value : needed)
    values.push_back(map.lookupOrDefault(value));
  return values;
}

void Overlapper::enterTail(IRMapping &map, ValueRange handedOn) const {
  for (auto [value, earlier] :
       llvm::zip_equal(needed, handedOn.take_back(needed.size())))
    map.map(value, earlier);
  map.map(accumulated, handedOn[accumulator]);
}

void Overlapper::run() {
  OpBuilder builder(loop);
  Block &condition = *loop.getBeforeBody();
  size_t carried = loop.getInits().size();
  // The condition and what it passes on, for carried values.
  auto test = [&](OpBuilder &at, ValueRange values, IRMapping &map) {
    for (auto [argument, value] :
         llvm::zip_equal(condition.getArguments(), values))
      map.map(argument, value);
    for (Operation &op : condition.without_terminator())
      at.clone(op, map);
    for (auto [argument, passed] :
         llvm::zip_equal(body.getArguments(), loop.getConditionOp().getArgs()))
      map.map(argument, map.lookupOrDefault(passed));
    return map.lookupOrDefault(loop.getConditionOp().getCondition());
  };
  IRMapping first;
  Value any = test(builder, loop.getInits(), first);
  auto passedOn = [&](const IRMapping &map) {
    return llvm::map_to_vector(body.getArguments(), [&](Value argument) {
      return map.lookupOrDefault(argument);
    });
  };
  SmallVector<Value> none = passedOn(first);
  auto branch = scf::IfOp::create(
      builder, loc, any,
      [&](OpBuilder &inner, Location) {
        cloneHead(inner, first, /*first=*/true);
        cloneHead(inner, first, /*first=*/false);
        Value init = first.lookup(Value(body.getArgument(accumulator)));
        Values inits = getHandedOn(first, cloneUpdate(inner, first, init));
        auto overlapped = scf::WhileOp::create(
            inner, loc, TypeRange(ValueRange(inits)), inits,
            [&](OpBuilder &at, Location, ValueRange values) {
              IRMapping map;
              Value more = test(at, values.take_front(carried), map);
              Values passed = passedOn(map);
              llvm::append_range(passed, values.drop_front(carried));
              scf::ConditionOp::create(at, loc, more, passed);
            },
            [&](OpBuilder &at, Location, ValueRange values) {
              IRMapping current, earlier;
              for (auto [argument, value] : llvm::zip_equal(
                       body.getArguments(), values.take_front(carried)))
                current.map(argument, value);
              enterTail(earlier, values);
              cloneHead(at, current, /*first=*/true);
              cloneTail(at, earlier);
              takeTurns(current, earlier);
              cloneHead(at, current, /*first=*/false);
              Value sum =
                  earlier.lookup(body.getTerminator()->getOperand(accumulator));
              OpBuilder early = at;
              if (Operation *release = releaseLate(current))
                early.setInsertionPointAfter(release);
              Value scaled = cloneUpdate(early, current, sum);
              scf::YieldOp::create(at, loc, getHandedOn(current, scaled));
            });
        IRMapping last;
        enterTail(last, overlapped.getResults());
        cloneTail(inner, last);
        Values results(overlapped.getResults().take_front(carried));
        results[accumulator] =
            last.lookup(body.getTerminator()->getOperand(accumulator));
        scf::YieldOp::create(inner, loc, results);
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(inner, loc, none);
      });
  loop.replaceAllUsesWith(branch.getResults());
  loop.erase();
}

namespace {
struct OverlapIterationsPass
    : stof::impl::OverlapIterationsPassBase<OverlapIterationsPass> {
  using Base::Base;

  void runOnOperation() override {
    DictionaryAttr schedule = stof::scheduleAttr.get(getOperation());
    if (!always && !(schedule && schedule.contains(stof::overlapsEntry)))
      return;
    SmallVector<scf::ForOp> counted;
    getOperation().walk([&](scf::ForOp loop) {
      if (llvm::range_size(loop.getBody()->getOps<ContractOp>()) == 2)
        counted.push_back(loop);
    });
    for (scf::ForOp loop : counted)
      convertToWhile(loop);
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops) {
      if (loop.getAfterBody()->getOps<ContractOp>().empty())
        continue;
      Overlapper overlapper(loop);
      auto named = remark::RemarkOpts::name("Overlap").category(
          "stof-overlap-iterations");
      if (!overlapper.divide()) {
        remark::missed(loop.getLoc(), named) << remark::reason(
            "its second contraction does not only accumulate, of tiles of its "
            "own, what the first one and registers give");
        continue;
      }
      remark::passed(loop.getLoc(), named)
          << remark::metric("TakingTurns", overlapper.countTakers());
      overlapper.run();
    }
  }
};
} // namespace

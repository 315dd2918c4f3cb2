//===----------------------------------------------------------------------===//
// Overlapped iterations of a mainloop of back-to-back GEMMs.
//===----------------------------------------------------------------------===//

#include "Overlapper.h"

#include "ConstantFragments.h"
#include "stof/Tile/Roles.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stof::tile;

Overlapper::Overlapper(scf::WhileOp loop)
    : loop(loop), slice(loop), body(*loop.getAfterBody()), loc(loop.getLoc()) {}

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
  auto *found = llvm::find_if(candidates, isExponential);
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

bool Overlapper::hasTailOf(const Overlapper &other) const {
  if (needed.size() != other.needed.size())
    return false;
  IRMapping same;
  same.map(accumulated, other.accumulated);
  for (auto [value, counterpart] : llvm::zip_equal(needed, other.needed)) {
    if (value.getType() != counterpart.getType())
      return false;
    same.map(value, counterpart);
  }
  auto collect = [](const Overlapper &from) {
    SmallVector<Operation *> operations;
    for (Operation &op : from.body.without_terminator())
      if (from.tail.contains(&op) && !from.update.contains(&op))
        operations.push_back(&op);
    return operations;
  };
  SmallVector<Operation *> own = collect(*this), others = collect(other);
  return own.size() == others.size() &&
         llvm::all_of_zip(own, others, [&](Operation *op, Operation *match) {
           return OperationEquivalence::isEquivalentTo(
               op, match,
               [&](Value lhs, Value rhs) {
                 return success(same.lookupOrDefault(lhs) == rhs);
               },
               [&](Value lhs, Value rhs) { same.map(lhs, rhs); },
               OperationEquivalence::IgnoreLocations);
         });
}

bool Overlapper::goesOnIn(const Overlapper &next) const {
  scf::WhileOp other = next.loop;
  if (loop->getBlock() != other->getBlock() ||
      other.getInits()[next.accumulator] != loop->getResult(accumulator) ||
      !hasTailOf(next))
    return false;
  // All that is in between moves in front.
  for (Operation *op = loop->getNextNode(); op != other; op = op->getNextNode())
    if (!isMemoryEffectFree(op) || op->getNumRegions() > 0 ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand.getDefiningOp() == loop;
        }))
      return false;
  return llvm::all_of(loop->getUsers(),
                      [&](Operation *user) { return user == other; });
}

Value Overlapper::test(OpBuilder &builder, ValueRange values,
                       IRMapping &map) const {
  scf::WhileOp whole = loop;
  Block &condition = *whole.getBeforeBody();
  map.map(condition.getArguments(), values);
  for (Operation &op : condition.without_terminator())
    builder.clone(op, map);
  for (auto [argument, passed] :
       llvm::zip_equal(body.getArguments(), whole.getConditionOp().getArgs()))
    map.map(argument, map.lookupOrDefault(passed));
  return map.lookupOrDefault(whole.getConditionOp().getCondition());
}

SmallVector<Value> Overlapper::getPassedOn(const IRMapping &map) const {
  return llvm::map_to_vector(body.getArguments(), [&](Value argument) {
    return map.lookupOrDefault(argument);
  });
}

SmallVector<Value> Overlapper::begin(OpBuilder &builder,
                                     IRMapping &first) const {
  cloneHead(builder, first, /*first=*/true);
  cloneHead(builder, first, /*first=*/false);
  Value init = first.lookup(Value(body.getArgument(accumulator)));
  return getHandedOn(first, cloneUpdate(builder, first, init));
}

SmallVector<Value> Overlapper::overlap(OpBuilder &builder,
                                       ValueRange handedOn) const {
  IRMapping current, earlier;
  current.map(body.getArguments(), handedOn.drop_back(needed.size()));
  enterTail(earlier, handedOn);
  cloneHead(builder, current, /*first=*/true);
  cloneTail(builder, earlier);
  takeTurns(current, earlier);
  cloneHead(builder, current, /*first=*/false);
  Value sum = earlier.lookup(body.getTerminator()->getOperand(accumulator));
  OpBuilder early = builder;
  if (Operation *release = releaseLate(current))
    early.setInsertionPointAfter(release);
  return getHandedOn(current, cloneUpdate(early, current, sum));
}

SmallVector<Value> Overlapper::iterate(OpBuilder &builder,
                                       ValueRange handedOn) const {
  auto overlapped = scf::WhileOp::create(
      builder, loc, TypeRange(handedOn), handedOn,
      [&](OpBuilder &at, Location, ValueRange values) {
        IRMapping map;
        Value more = test(at, values.drop_back(needed.size()), map);
        Values passed = getPassedOn(map);
        llvm::append_range(passed, values.take_back(needed.size()));
        scf::ConditionOp::create(at, loc, more, passed);
      },
      [&](OpBuilder &at, Location, ValueRange values) {
        scf::YieldOp::create(at, loc, overlap(at, values));
      });
  return llvm::to_vector_of<Value>(overlapped.getResults());
}

SmallVector<Value> Overlapper::finish(OpBuilder &builder,
                                      ValueRange handedOn) const {
  IRMapping last;
  enterTail(last, handedOn);
  cloneTail(builder, last);
  Values results(handedOn.drop_back(needed.size()));
  results[accumulator] =
      last.lookup(body.getTerminator()->getOperand(accumulator));
  return results;
}

bool Overlapper::isInHead(Operation *op) const {
  Operation *inBody = body.findAncestorOpInBlock(*op);
  return inBody && !tail.contains(inBody);
}

SmallVector<ReleaseOp>
Overlapper::findReleases(const Overlapper *before) const {
  auto readsEarlier = [&](Operation *user) {
    return isInHead(user) || (before && before->isInHead(user));
  };
  SmallVector<ReleaseOp> found;
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
    auto release = dyn_cast<ReleaseOp>(op);
    if (!release && !isMemoryEffectFree(op))
      break;
    if (!release)
      continue;
    auto receives = loop->getBlock()->getOps<ReceiveOp>();
    auto received = llvm::find_if(receives, [&](ReceiveOp receive) {
      return receive.getChannel() == release.getChannel() &&
             receive.getNumber() == release.getNumber();
    });
    if (received != receives.end() &&
        llvm::all_of((*received)->getUsers(), readsEarlier))
      found.push_back(release);
  }
  return found;
}

/// Clones `releases`, whose tiles are not read any more.
static void releaseTiles(OpBuilder &builder, ArrayRef<ReleaseOp> releases) {
  for (ReleaseOp release : releases)
    builder.clone(*release);
}

void Overlapper::run() {
  OpBuilder builder(loop);
  SmallVector<ReleaseOp> releases = findReleases(/*before=*/nullptr);
  IRMapping first;
  Value any = test(builder, loop.getInits(), first);
  auto branch = scf::IfOp::create(
      builder, loc, any,
      [&](OpBuilder &at, Location) {
        Values last = iterate(at, begin(at, first));
        releaseTiles(at, releases);
        scf::YieldOp::create(at, loc, finish(at, last));
      },
      [&](OpBuilder &at, Location) {
        releaseTiles(at, releases);
        scf::YieldOp::create(at, loc, getPassedOn(first));
      });
  for (ReleaseOp release : releases)
    release.erase();
  loop.replaceAllUsesWith(branch.getResults());
  loop.erase();
}

SmallVector<Value> Overlapper::getInitsOf(const Overlapper &next,
                                          ValueRange results) const {
  scf::WhileOp other = next.loop;
  return llvm::map_to_vector(other.getInits(), [&](Value init) {
    auto result = dyn_cast<OpResult>(init);
    return result && result.getOwner() == loop
               ? results[result.getResultNumber()]
               : init;
  });
}

void Overlapper::runInto(Overlapper &next) {
  while (loop->getNextNode() != next.loop)
    loop->getNextNode()->moveBefore(loop);
  OpBuilder builder(loop);
  SmallVector<ReleaseOp> releases = next.findReleases(/*before=*/this);
  IRMapping first, firstOfNext;
  Value any = test(builder, loop.getInits(), first);
  Value anyOfNext =
      next.test(builder, getInitsOf(next, getPassedOn(first)), firstOfNext);
  Value either = arith::OrIOp::create(builder, loc, any, anyOfNext);
  auto branch = scf::IfOp::create(
      builder, loc, either,
      [&](OpBuilder &at, Location) {
        auto begun = scf::IfOp::create(
            at, loc, any,
            [&](OpBuilder &inner, Location) {
              Values last = iterate(inner, begin(inner, first));
              Values values =
                  getInitsOf(next, ValueRange(last).drop_back(needed.size()));
              llvm::append_range(values,
                                 ValueRange(last).take_back(needed.size()));
              scf::YieldOp::create(inner, loc, values);
            },
            [&](OpBuilder &inner, Location) {
              scf::YieldOp::create(inner, loc, next.begin(inner, firstOfNext));
            });
        Values last = next.iterate(at, begun.getResults());
        releaseTiles(at, releases);
        scf::YieldOp::create(at, loc, next.finish(at, last));
      },
      [&](OpBuilder &at, Location) {
        releaseTiles(at, releases);
        scf::YieldOp::create(at, loc, next.getPassedOn(firstOfNext));
      });
  for (ReleaseOp release : releases)
    release.erase();
  next.loop.replaceAllUsesWith(branch.getResults());
  next.loop.erase();
  loop.erase();
}

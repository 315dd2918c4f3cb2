//===----------------------------------------------------------------------===//
// Computation of loop slices, and extension of loops by carried values.
//===----------------------------------------------------------------------===//

#include "LoopSlice.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof::tile;

llvm::SetVector<Value> stof::tile::getTaken(Operation *op) {
  llvm::SetVector<Value> taken(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), taken);
  return taken;
}

bool stof::tile::readsAtMost(Operation *op) {
  auto isTile = [](Type type) { return isa<FragmentType, SharedType>(type); };
  bool onTiles =
      op->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperandTypes(), isTile) ||
                         llvm::any_of(inner->getResultTypes(), isTile)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        }).wasInterrupted();
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return !onTiles && effects && llvm::all_of(*effects, [](const auto &effect) {
    return isa<MemoryEffects::Read>(effect.getEffect());
  });
}

bool stof::tile::mayWrite(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect());
  });
}

LoopSlice::LoopSlice(Operation *loop) : loop(loop) {
  assert((isa<scf::ForOp, scf::WhileOp>(loop)) && "expects a loop of scf");
  for (auto [number, next] : llvm::enumerate(getNexts()))
    if (next.get().getType().isIntOrIndexOrFloat())
      counting.push_back(number);
  // Removes values that depend on others, to a fixed point.
  while (true) {
    SmallVector<unsigned> rest =
        llvm::filter_to_vector(counting, [&](unsigned number) {
          return follows(getNexts()[number].get());
        });
    if (rest == counting)
      return;
    counting = rest;
  }
}

bool LoopSlice::isKnown() const {
  auto open = dyn_cast<scf::WhileOp>(loop);
  return !open || follows(open.getConditionOp().getCondition());
}

bool LoopSlice::isInside(Value value) const {
  return loop->isProperAncestor(value.getParentBlock()->getParentOp()) ||
         value.getParentBlock()->getParentOp() == loop;
}

Block &LoopSlice::getBody() const { return loop->getRegions().back().front(); }

/// The arguments that are initialised by the inits of the loop.
Block::BlockArgListType LoopSlice::getHeads() const {
  Block::BlockArgListType all = loop->getRegion(0).front().getArguments();
  return isa<scf::ForOp>(loop) ? all.drop_front() : all;
}

MutableArrayRef<OpOperand> LoopSlice::getNexts() const {
  return getBody().getTerminator()->getOpOperands();
}

bool LoopSlice::check(Value value,
                      function_ref<bool(Operation *)> accept) const {
  SmallVector<Value> taken = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!taken.empty()) {
    Value one = taken.pop_back_val();
    if (!isInside(one) || !seen.insert(one).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(one)) {
      unsigned number = argument.getArgNumber();
      auto open = dyn_cast<scf::WhileOp>(loop);
      if (open && argument.getOwner() == open.getAfterBody()) {
        taken.push_back(open.getConditionOp().getArgs()[number]);
        continue;
      }
      bool induction = !open && number == 0;
      if (!induction &&
          !llvm::is_contained(counting, open ? number : number - 1))
        return false;
      continue;
    }
    Operation *op = one.getDefiningOp();
    if (!accept(op))
      return false;
    taken.append(getTaken(op).takeVector());
  }
  return true;
}

bool LoopSlice::follows(Value value) const { return check(value, readsAtMost); }

bool LoopSlice::isHarmless(Value value) const {
  return check(value, [](Operation *op) { return isPure(op); });
}

bool LoopSlice::isHarmless() const {
  auto open = dyn_cast<scf::WhileOp>(loop);
  return llvm::all_of(counting,
                      [&](unsigned number) {
                        return isHarmless(getNexts()[number].get());
                      }) &&
         (!open || isHarmless(open.getConditionOp().getCondition()));
}

SmallVector<LoadOp> LoopSlice::getLoads() const {
  SmallVector<LoadOp> loads;
  for (auto load : getBody().getOps<LoadOp>()) {
    if (isa<SharedType>(load.getResult().getType()) && !load.getBuffer() &&
        !load.getCondition() && !isInside(load.getSource()) &&
        llvm::all_of(load.getIndices(),
                     [&](Value index) { return follows(index); }))
      loads.push_back(load);
  }
  return loads;
}

void LoopSlice::addOutside(Value value, llvm::SetVector<Value> &outside) const {
  SmallVector<Value> taken = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!taken.empty()) {
    Value one = taken.pop_back_val();
    if (!seen.insert(one).second)
      continue;
    if (!isInside(one)) {
      outside.insert(one);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(one);
    if (!argument) {
      taken.append(getTaken(one.getDefiningOp()).takeVector());
      continue;
    }
    auto open = dyn_cast<scf::WhileOp>(loop);
    if (open && argument.getOwner() == open.getAfterBody())
      taken.push_back(open.getConditionOp().getArgs()[argument.getArgNumber()]);
  }
}

void LoopSlice::addOutside(llvm::SetVector<Value> &outside) const {
  for (Value value : getFirstState())
    outside.insert(value);
  for (unsigned number : counting)
    addOutside(getNexts()[number].get(), outside);
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    outside.insert(counted.getUpperBound());
    outside.insert(counted.getStep());
  } else {
    addOutside(cast<scf::WhileOp>(loop).getConditionOp().getCondition(),
               outside);
  }
}

Value LoopSlice::compute(OpBuilder &builder, Value value,
                         IRMapping &point) const {
  if (point.contains(value))
    return point.lookup(value);
  if (!isInside(value))
    return value;
  Operation *op = value.getDefiningOp();
  for (Value taken : getTaken(op))
    compute(builder, taken, point);
  builder.clone(*op, point);
  return point.lookup(value);
}

/// Maps the arguments of the second region of an `scf.while`.
void LoopSlice::enter(OpBuilder &builder, IRMapping &point) const {
  if (auto open = dyn_cast<scf::WhileOp>(loop))
    for (auto [argument, passed] :
         llvm::zip(open.getAfterArguments(), open.getConditionOp().getArgs()))
      if (follows(passed))
        point.map(argument, compute(builder, passed, point));
}

SmallVector<Value> LoopSlice::getFirstState() const {
  SmallVector<Value> state;
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    state.push_back(counted.getLowerBound());
  for (unsigned number : counting)
    state.push_back(cast<LoopLikeOpInterface>(loop).getInits()[number]);
  return state;
}

IRMapping LoopSlice::getPoint(OpBuilder &builder, ValueRange state) const {
  IRMapping point;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    point.map(counted.getInductionVar(), state.front());
    state = state.drop_front();
  }
  for (auto [number, value] : llvm::zip_equal(counting, state))
    point.map(getHeads()[number], value);
  enter(builder, point);
  return point;
}

SmallVector<Value> LoopSlice::getState(const IRMapping &point) const {
  SmallVector<Value> state;
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    state.push_back(point.lookup(Value(counted.getInductionVar())));
  for (unsigned number : counting)
    state.push_back(point.lookup(Value(getHeads()[number])));
  return state;
}

IRMapping LoopSlice::getFirst(OpBuilder &builder) const {
  return getPoint(builder, getFirstState());
}

IRMapping LoopSlice::getCurrent() const {
  IRMapping point;
  for (Value argument : getBody().getArguments())
    point.map(argument, argument);
  return point;
}

IRMapping LoopSlice::getNext(OpBuilder &builder, IRMapping &point) const {
  IRMapping next;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    Value at = point.lookup(counted.getInductionVar());
    next.map(
        counted.getInductionVar(),
        arith::AddIOp::create(builder, loop->getLoc(), at, counted.getStep()));
  }
  for (unsigned number : counting)
    next.map(getHeads()[number],
             compute(builder, getNexts()[number].get(), point));
  enter(builder, next);
  return next;
}

Value LoopSlice::isReached(OpBuilder &builder, IRMapping &point) const {
  if (auto open = dyn_cast<scf::WhileOp>(loop))
    return compute(builder, open.getConditionOp().getCondition(), point);
  auto counted = cast<scf::ForOp>(loop);
  return arith::CmpIOp::create(
      builder, loop->getLoc(),
      counted.getUnsignedCmp() ? arith::CmpIPredicate::ult
                               : arith::CmpIPredicate::slt,
      point.lookup(counted.getInductionVar()), counted.getUpperBound());
}

void LoopSlice::goOnWith(IRMapping &next) {
  for (unsigned number : counting)
    getNexts()[number].set(next.lookup(getHeads()[number]));
}

ValueRange LoopSlice::carry(ValueRange inits) {
  OpBuilder builder(loop);
  SmallVector<Value> all(cast<LoopLikeOpInterface>(loop).getInits());
  llvm::append_range(all, inits);
  SmallVector<Location> locations(inits.size(), loop->getLoc());
  TypeRange types = inits.getTypes();
  Operation *extended;
  if (auto counted = dyn_cast<scf::ForOp>(loop)) {
    extended =
        scf::ForOp::create(builder, loop->getLoc(), counted.getLowerBound(),
                           counted.getUpperBound(), counted.getStep(), all);
  } else {
    SmallVector<Type> results(loop->getResultTypes());
    llvm::append_range(results, types);
    extended = scf::WhileOp::create(builder, loop->getLoc(), results, all);
  }
  extended->setAttrs(loop->getAttrDictionary());
  for (auto [to, from] :
       llvm::zip(extended->getRegions(), loop->getRegions())) {
    to.takeBody(from);
    auto added = to.front().addArguments(types, locations);
    Operation *end = to.front().getTerminator();
    end->insertOperands(end->getNumOperands(), SmallVector<Value>(added));
  }
  loop->replaceAllUsesWith(
      extended->getResults().take_front(loop->getNumResults()));
  loop->erase();
  loop = extended;
  return getBody().getArguments().take_back(inits.size());
}

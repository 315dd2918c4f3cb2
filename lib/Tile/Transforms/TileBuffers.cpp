//===----------------------------------------------------------------------===//
// Tracing of shared tiles through loads, waits and loops.
//===----------------------------------------------------------------------===//

#include "TileBuffers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace stof::tile;

Value stof::tile::getOrigin(Value tile) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(tile)) {
      auto loop = dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp());
      if (!loop || argument.getOwner() != loop.getAfterBody())
        return tile;
      tile = loop.getConditionOp().getArgs()[argument.getArgNumber()];
      continue;
    }
    Operation *op = tile.getDefiningOp();
    if (auto load = dyn_cast<LoadOp>(op); load && load.getBuffer())
      tile = load.getBuffer();
    else if (auto await = dyn_cast<AwaitOp>(op))
      tile = await.getTiles()[cast<OpResult>(tile).getResultNumber()];
    else
      return tile;
  }
}

Carried stof::tile::getCarried(Value origin) {
  auto argument = dyn_cast<BlockArgument>(origin);
  if (!argument)
    return {};
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return {loop, argument.getArgNumber() - loop.getNumInductionVars()};
  if (auto loop = dyn_cast<scf::WhileOp>(parent);
      loop && argument.getOwner() == loop.getBeforeBody())
    return {loop, argument.getArgNumber()};
  return {};
}

OperandRange stof::tile::getInits(Operation *loop) {
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return counted.getInitArgs();
  return cast<scf::WhileOp>(loop).getInits();
}

OperandRange stof::tile::getNexts(Operation *loop) {
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    return counted.getBody()->getTerminator()->getOperands();
  return cast<scf::WhileOp>(loop).getYieldOp().getResults();
}

static LogicalResult refuse(Operation *loop, Value tile) {
  return loop->emitOpError() << "expects each carried shared tile to start in "
                                "a buffer of its own and to be yielded once, "
                                "but got "
                             << tile.getType();
}

static LogicalResult checkLoop(Operation *loop) {
  auto isShared = [](Value value) { return isa<SharedType>(value.getType()); };
  if (!isa<scf::ForOp, scf::WhileOp>(loop)) {
    auto *found = llvm::find_if(loop->getOpOperands(), [&](OpOperand &operand) {
      return isShared(operand.get());
    });
    return found == loop->getOpOperands().end() ? success()
                                                : refuse(loop, found->get());
  }
  llvm::SmallDenseSet<Value> buffers;
  for (Value init : getInits(loop)) {
    if (!isShared(init))
      continue;
    Value origin = getOrigin(init);
    if (!isa_and_nonnull<EmptyOp, LoadOp, ConvertOp>(origin.getDefiningOp()) ||
        !buffers.insert(origin).second)
      return refuse(loop, init);
  }
  llvm::SmallDenseSet<unsigned> handedOn;
  for (Value next : getNexts(loop)) {
    if (!isShared(next))
      continue;
    Carried carried = getCarried(getOrigin(next));
    if (carried.loop != loop || !handedOn.insert(carried.number).second)
      return refuse(loop, next);
  }
  if (auto open = dyn_cast<scf::WhileOp>(loop))
    for (Value passed : open.getConditionOp().getArgs())
      if (isShared(passed) && getCarried(getOrigin(passed)).loop != loop)
        return refuse(loop, passed);
  return success();
}

LogicalResult stof::tile::checkCarriedTiles(Operation *kernel) {
  WalkResult result = kernel->walk(
      [](LoopLikeOpInterface loop) -> WalkResult { return checkLoop(loop); });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Tracing of shared tiles through operations and loops.
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
    auto op = tile.getDefiningOp<SharedMemoryOpInterface>();
    OpOperand *tied = op ? op.getTiedTile(cast<OpResult>(tile)) : nullptr;
    if (!tied)
      return tile;
    tile = tied->get();
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

static bool isShared(Value value) { return isa<SharedType>(value.getType()); }

/// Whether the buffer of `origin` is an allocation of the operation that
/// defines it.
static bool isAllocated(Value origin) {
  auto op = origin.getDefiningOp<SharedMemoryOpInterface>();
  return op && op.getAllocatedTile() == origin;
}

static LogicalResult refuse(Operation *loop, Value tile) {
  return loop->emitOpError() << "expects each carried shared tile to start in "
                                "a buffer of its own and to be yielded once, "
                                "but got "
                             << tile.getType();
}

static LogicalResult checkLoop(LoopLikeOpInterface loop) {
  if (!isa<scf::ForOp, scf::WhileOp>(loop)) {
    auto operands = loop->getOperands();
    auto found = llvm::find_if(operands, isShared);
    return found == operands.end() ? success() : refuse(loop, *found);
  }
  llvm::SmallDenseSet<Value> buffers;
  for (Value init : loop.getInits()) {
    if (!isShared(init))
      continue;
    Value origin = getOrigin(init);
    if (!isAllocated(origin) || !buffers.insert(origin).second)
      return refuse(loop, init);
  }
  llvm::SmallDenseSet<unsigned> handedOn;
  for (Value next : loop.getYieldedValues()) {
    if (!isShared(next))
      continue;
    Carried carried = getCarried(getOrigin(next));
    if (carried.loop != loop || !handedOn.insert(carried.number).second)
      return refuse(loop, next);
  }
  if (auto open = dyn_cast<scf::WhileOp>(loop.getOperation()))
    for (Value passed : open.getConditionOp().getArgs())
      if (isShared(passed) && getCarried(getOrigin(passed)).loop != loop)
        return refuse(loop, passed);
  return success();
}

static LogicalResult checkDefinition(Operation *op) {
  if (isa<SharedMemoryOpInterface, SelectLikeOpInterface,
          RegionBranchOpInterface>(op) ||
      llvm::none_of(op->getResults(), isShared))
    return success();
  return op->emitOpError() << "expects an operation that defines a shared tile "
                              "to implement SharedMemoryOpInterface";
}

LogicalResult stof::tile::checkTileBuffers(gpu::GPUFuncOp kernel) {
  for (Value argument : kernel.getArguments())
    if (isShared(argument))
      return kernel.emitOpError() << "expects no shared tile as an argument, "
                                     "but got "
                                  << argument.getType();
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    if (failed(checkDefinition(op)))
      return failure();
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    return loop ? checkLoop(loop) : success();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The pass that gives shared tiles their places.
//
// 1. Number the operations of a kernel in program order.
// 2. A place lives from the operation that makes it to the last use of a tile
//    that lies there; a use inside a loop lasts as long as the loop if the
//    place comes from outside.
// 3. Take the tiles in program order; each gets the lowest place that no tile
//    living at the same time has.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "Patterns.h"
#include "TilePlaces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace stof {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORYPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

namespace {
/// A piece of shared memory and when it is in use.
struct Piece {
  Operation *op;
  int64_t bytes, alignment, first, last;
  int64_t offset = 0;
};

/// The first and the last number of an operation and what is nested in it.
using Numbers = DenseMap<Operation *, std::pair<int64_t, int64_t>>;
} // namespace

static Numbers numberOperations(gpu::GPUFuncOp kernel) {
  Numbers numbers;
  int64_t next = 0;
  kernel.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { numbers[op] = {next, next}, ++next; });
  // What is nested comes right after its parent.
  kernel.walk([&](Operation *op) {
    for (Operation *parent = op->getParentOp(); parent && parent != kernel;
         parent = parent->getParentOp())
      numbers[parent].second =
          std::max(numbers[parent].second, numbers[op].first);
  });
  return numbers;
}

/// Adds the values that lie in the same place because `use` hands it on.
static void follow(OpOperand &use, SmallVectorImpl<Value> &same) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (isa<arith::SelectOp>(user) || isa<LoadOp>(user))
    return same.push_back(user->getResult(0));
  if (isa<AwaitOp>(user))
    return same.push_back(user->getResult(number));
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    OpResult result = loop.getTiedLoopResult(&use);
    same.append({result, loop.getTiedLoopRegionIterArg(result)});
  } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
    same.push_back(loop.getBeforeArguments()[number]);
  } else if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
    auto loop = cast<scf::WhileOp>(condition->getParentOp());
    same.append(
        {loop.getAfterArguments()[number - 1], loop.getResult(number - 1)});
  } else if (isa<scf::YieldOp>(user) && isa<scf::IfOp>(user->getParentOp())) {
    same.push_back(user->getParentOp()->getResult(number));
  }
}

/// The last number at which the place of the shared tile that `op` makes is in
/// use.
static int64_t getLastUse(Operation *op, const Numbers &numbers) {
  int64_t last = numbers.at(op).first;
  SmallVector<Value> same(op->getResults());
  llvm::SmallDenseSet<Value> seen;
  while (!same.empty()) {
    Value value = same.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      follow(use, same);
      Operation *until = use.getOwner();
      for (Operation *parent = until->getParentOp();
           !parent->isProperAncestor(op); parent = parent->getParentOp())
        if (isa<LoopLikeOpInterface>(parent))
          until = parent;
      last = std::max(last, numbers.at(until).second);
    }
  }
  return last;
}

/// The lowest place for `piece` beside those placed before.
static int64_t findPlace(const Piece &piece, ArrayRef<Piece> placed) {
  SmallVector<const Piece *> beside;
  for (const Piece &other : placed)
    if (other.first <= piece.last && piece.first <= other.last)
      beside.push_back(&other);
  llvm::sort(beside, [](const Piece *a, const Piece *b) {
    return std::pair(a->offset, a->first) < std::pair(b->offset, b->first);
  });
  int64_t offset = 0;
  for (const Piece *other : beside) {
    if (offset + piece.bytes <= other->offset)
      break;
    offset = std::max<int64_t>(
        offset, llvm::alignTo(other->offset + other->bytes, piece.alignment));
  }
  return offset;
}

namespace {
struct AllocateSharedMemoryPass
    : stof::impl::AllocateSharedMemoryPassBase<AllocateSharedMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    if (failed(checkCarriedTiles(kernel)))
      return signalPassFailure();
    Numbers numbers = numberOperations(kernel);
    SmallVector<Piece> pieces;
    int64_t total = 0;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      int64_t bytes = getSharedBytes(op);
      if (bytes == 0)
        return;
      Piece piece = {op, bytes, getSharedAlignment(op), numbers.at(op).first,
                     getLastUseOfRoom(op, numbers)};
      piece.offset = findPlace(piece, pieces);
      op->setAttr(offsetAttr, Builder(op).getI64IntegerAttr(piece.offset));
      total = std::max(total, piece.offset + bytes);
      pieces.push_back(piece);
    });
    if (total > capacity) {
      kernel.emitOpError() << "expects at most " << capacity.getValue()
                           << " bytes of shared memory, but got " << total;
      return signalPassFailure();
    }
    kernel->setAttr(sharedBytesAttr, Builder(kernel).getI64IntegerAttr(total));
  }

private:
  /// Memory that an operation needs only while it runs is free after it.
  static int64_t getLastUseOfRoom(Operation *op, const Numbers &numbers) {
    if (!isa<SharedType>(op->getResult(0).getType()))
      return numbers.at(op).first;
    return getLastUse(op, numbers);
  }
};
} // namespace

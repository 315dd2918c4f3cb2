//===----------------------------------------------------------------------===//
// The pass that assigns offsets in shared memory.
//
// 1. Number the operations of a kernel in program order.
// 2. An allocation is live from its defining operation to the last use of a
//    tile in it; a use in a loop extends to the end of the loop if the
//    allocation is defined outside of it.
// 3. In program order, give each allocation the lowest offset that does not
//    overlap other live allocations.
//
// mlir::Liveness follows branches between blocks, but no back edges of
// structured loops, and a buffer outlives the values that share it.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "TileBuffers.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/Roles.h"
#include "stof/Tile/SharedMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <limits>

namespace stof {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORYPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

namespace {
/// An allocation of shared memory and its live range.
struct Allocation {
  Operation *op;
  int64_t bytes, alignment, first, last;
  int64_t offset = 0;
};

/// The first and the last number of an operation with its nested operations.
using Numbers = DenseMap<Operation *, std::pair<int64_t, int64_t>>;
} // namespace

static Numbers numberOperations(gpu::GPUFuncOp kernel) {
  Numbers numbers;
  int64_t next = 0;
  kernel.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { numbers[op] = {next, next}, ++next; });
  // In pre-order, nested operations follow their parent directly.
  kernel.walk([&](Operation *op) {
    for (Operation *parent = op->getParentOp(); parent && parent != kernel;
         parent = parent->getParentOp())
      numbers[parent].second =
          std::max(numbers[parent].second, numbers[op].first);
  });
  return numbers;
}

/// Adds the values to which `use` hands on its tile, and thereby the buffer.
static void follow(OpOperand &use, SmallVectorImpl<Value> &same) {
  Operation *user = use.getOwner();
  if (auto shared = dyn_cast<SharedMemoryOpInterface>(user)) {
    for (OpResult result : user->getResults())
      if (shared.getTiedTile(result) == &use)
        same.push_back(result);
    return;
  }
  if (isa<SelectLikeOpInterface>(user))
    return same.push_back(user->getResult(0));
  bool isTerminator = isa<RegionBranchTerminatorOpInterface>(user);
  if (auto branch = dyn_cast<RegionBranchOpInterface>(
          isTerminator ? user->getParentOp() : user)) {
    RegionBranchSuccessorMapping successors;
    branch.getSuccessorOperandInputMapping(successors);
    llvm::append_range(same, successors.lookup(&use));
  }
}

/// The number of the last use of the allocation of `op`. Temporary memory is
/// dead after its operation.
static int64_t getLastUse(SharedMemoryOpInterface op, const Numbers &numbers) {
  if (op.isKept())
    return std::numeric_limits<int64_t>::max();
  int64_t last = numbers.at(op).first;
  SmallVector<Value> same;
  if (OpResult tile = op.getAllocatedTile())
    same.push_back(tile);
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

/// The lowest offset for `allocation` that does not overlap live `placed` ones.
static int64_t findOffset(const Allocation &allocation,
                          ArrayRef<Allocation> placed) {
  SmallVector<const Allocation *> live;
  for (const Allocation &other : placed)
    if (other.first <= allocation.last && allocation.first <= other.last)
      live.push_back(&other);
  llvm::sort(live, [](const Allocation *a, const Allocation *b) {
    return std::pair(a->offset, a->first) < std::pair(b->offset, b->first);
  });
  int64_t offset = 0;
  for (const Allocation *other : live) {
    if (offset + allocation.bytes <= other->offset)
      break;
    offset =
        std::max<int64_t>(offset, llvm::alignTo(other->offset + other->bytes,
                                                allocation.alignment));
  }
  return offset;
}

namespace {
struct AllocateSharedMemoryPass
    : stof::impl::AllocateSharedMemoryPassBase<AllocateSharedMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    if (failed(checkTileBuffers(kernel)))
      return signalPassFailure();
    Numbers numbers = numberOperations(kernel);
    SmallVector<Allocation> allocations;
    int64_t total = 0;
    kernel.walk<WalkOrder::PreOrder>([&](SharedMemoryOpInterface op) {
      int64_t bytes = op.getSharedBytes();
      if (bytes == 0)
        return;
      Allocation allocation = {op, bytes, getSharedAlignment(op),
                               numbers.at(op).first, getLastUse(op, numbers)};
      // Producers run at the same time as all of the consumers.
      Region *role = getRole(op->getBlock());
      if (role && role->getRegionNumber() > 0)
        std::tie(allocation.first, allocation.last) =
            numbers.at(role->getParentOp());
      allocation.offset = findOffset(allocation, allocations);
      op->setAttr(offsetAttr, Builder(op).getI64IntegerAttr(allocation.offset));
      total = std::max(total, allocation.offset + bytes);
      allocations.push_back(allocation);
    });
    if (total > capacity) {
      kernel.emitOpError() << "expects at most " << capacity.getValue()
                           << " bytes of shared memory, but got " << total;
      return signalPassFailure();
    }
    stof::sharedBytesAttr.set(kernel, Builder(kernel).getI64IntegerAttr(total));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The loads of a kernel that producers can issue.
//===----------------------------------------------------------------------===//

#include "ProducibleLoads.h"

#include "stof/IR/KernelAttributes.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

using namespace mlir;
using namespace stof::tile;

/// The loop in which a CTA of `kernel` computes tile after tile; null if it has
/// one tile.
static Operation *findTileLoop(gpu::GPUFuncOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (stof::tileLoopAttr.isOn(&op))
      return &op;
  return nullptr;
}

/// The claim of the next tile, at the end of an iteration of the loop over
/// tiles `around`; null if tiles are not claimed.
static ClaimOp findClaim(Operation *around) {
  if (!isa_and_nonnull<scf::WhileOp>(around))
    return {};
  auto claims = around->getRegions().back().front().getOps<ClaimOp>();
  return claims.empty() ? ClaimOp() : *claims.begin();
}

ProducibleLoads::ProducibleLoads(gpu::GPUFuncOp kernel)
    : kernel(kernel), around(findTileLoop(kernel)), claim(findClaim(around)) {}

bool ProducibleLoads::canShare(Value value) const {
  if (Operation *op = value.getDefiningOp())
    return common.contains(op);
  Operation *owner = cast<BlockArgument>(value).getOwner()->getParentOp();
  return owner == kernel || owner == around;
}

bool ProducibleLoads::canShare(Operation *op, bool afterWrites) const {
  return readsAtMost(op) && (isMemoryEffectFree(op) || !afterWrites) &&
         llvm::all_of(getTaken(op),
                      [&](Value taken) { return canShare(taken); });
}

bool ProducibleLoads::canProduceOnce(LoadOp load) const {
  return isa<SharedType>(load.getResult().getType()) && !load.getBuffer() &&
         !load.getCondition() &&
         llvm::all_of(load->getOperands(),
                      [&](Value operand) { return canShare(operand); });
}

bool ProducibleLoads::canProduce(const Mainloop &mainloop) const {
  const LoopSlice &slice = mainloop.slice;
  if (mainloop.loads.empty() || !slice.isKnown() || mayWrite(slice.getLoop()))
    return false;
  llvm::SetVector<Value> needed;
  slice.addOutside(needed);
  for (LoadOp load : mainloop.loads) {
    needed.insert(load.getSource());
    for (Value index : load.getIndices())
      slice.addOutside(index, needed);
  }
  if (!llvm::all_of(needed, [&](Value value) { return canShare(value); }))
    return false;
  return mainloops.empty() ||
         llvm::equal(mainloop.loads, mainloops.front().loads,
                     [](LoadOp lhs, LoadOp rhs) {
                       return lhs.getResult().getType() ==
                              rhs.getResult().getType();
                     });
}

/// The branch around `block` that is in no other one.
static Operation *getOutermostBranch(Block &block) {
  Operation *branch = block.getParentOp();
  while (isa<scf::IfOp>(branch->getParentOp()))
    branch = branch->getParentOp();
  return branch;
}

void ProducibleLoads::find(Block &block, bool afterWrites) {
  // In a loop over tiles, loads are those of a tile.
  bool isBranch = isa<scf::IfOp>(block.getParentOp());
  bool isInTile = isBranch || !around || block.getParentOp() == around;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (canShare(&op, afterWrites)) {
      // Only what both roles can compute for any tile leaves its branch.
      if (isBranch && !(isMemoryEffectFree(&op) && isSpeculatable(&op)))
        continue;
      if (isBranch)
        op.moveBefore(getOutermostBranch(block));
      common.insert(&op);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
      if (isInTile && !isBranch && canProduceOnce(load) && !afterWrites)
        once.push_back(load);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (isInTile && branch.getNumResults() == 0 &&
          canShare(branch.getCondition()))
        find(branch, afterWrites);
    } else if (&op == around) {
      // What other tiles write is not read.
      find(around->getRegions().back().front(), afterWrites);
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      LoopSlice slice(&op);
      Mainloop mainloop{slice, slice.getLoads()};
      // What consumers have written is not there for producers.
      if (isInTile && canProduce(mainloop) && !afterWrites)
        mainloops.push_back(mainloop);
    }
    afterWrites |= mayWrite(&op);
  }
}

void ProducibleLoads::find(scf::IfOp branch, bool afterWrites) {
  find(*branch.thenBlock(), afterWrites);
  if (Block *otherwise = branch.elseBlock())
    find(*otherwise, afterWrites);
}

Mainloop *ProducibleLoads::getMainloop(Operation &op) {
  auto *found = llvm::find_if(mainloops, [&](const Mainloop &mainloop) {
    return mainloop.slice.getLoop() == &op;
  });
  return found == mainloops.end() ? nullptr : found;
}

bool ProducibleLoads::hasMainloops(scf::IfOp op) {
  return llvm::any_of(mainloops, [&](const Mainloop &mainloop) {
    return op->isProperAncestor(mainloop.slice.getLoop());
  });
}

std::optional<int64_t> ProducibleLoads::countIterations(Block &block) {
  int64_t all = 0;
  for (Operation &op : block) {
    std::optional<int64_t> count = 0;
    auto branch = dyn_cast<scf::IfOp>(op);
    if (getMainloop(op)) {
      auto loop = dyn_cast<scf::ForOp>(op);
      std::optional<APInt> trips =
          loop ? loop.getStaticTripCount() : std::nullopt;
      count = trips ? std::optional(trips->getSExtValue()) : std::nullopt;
    } else if (branch && hasMainloops(branch)) {
      count = countIterations(*branch.thenBlock());
      Block *otherwise = branch.elseBlock();
      if (!otherwise || countIterations(*otherwise) != count)
        return std::nullopt;
    }
    if (!count)
      return std::nullopt;
    all += *count;
  }
  return all;
}

size_t ProducibleLoads::find() {
  find(kernel.getBody().front(), /*afterWrites=*/false);
  return mainloops.size();
}

ChannelType stof::tile::getChannelType(LoadOp load, int64_t stages) {
  return ChannelType::get(cast<SharedType>(load.getResult().getType()), stages);
}

ChannelType stof::tile::getClaimsType(ClaimOp claim) {
  Type number = IntegerType::get(claim.getContext(), 32);
  return ChannelType::get(SharedType::get(claim.getContext(), {1, 1}, number),
                          /*stages=*/1);
}

int64_t ProducibleLoads::getBytes(int64_t stages) {
  // What consumers allocate.
  int64_t bytes = 0;
  kernel->walk([&](Operation *op) { bytes += getSharedBytes(op); });
  for (Mainloop &mainloop : mainloops)
    for (LoadOp load : mainloop.loads)
      bytes -= getSharedBytes(load);
  for (LoadOp load : once)
    bytes -= getSharedBytes(load);
  auto add = [&](LoadOp load, int64_t count) {
    bytes = llvm::alignTo(bytes, WarpgroupOperand::windowBytes) +
            getChannelType(load, count).getSizeInBytes();
  };
  for (LoadOp load : mainloops.front().loads)
    add(load, stages);
  for (LoadOp load : once)
    add(load, 1);
  if (claim)
    bytes += getClaimsType(claim).getSizeInBytes();
  return bytes;
}

Block &ProducibleLoads::getTileBlock() {
  return around ? around->getRegions().back().front()
                : kernel.getBody().front();
}

StringRef ProducibleLoads::explainNoGroups() {
  if (!around)
    return "its CTAs have one tile each";
  auto counted = dyn_cast<scf::ForOp>(around);
  if (!counted)
    return "its CTAs claim their tiles";
  auto isOutside = [&](Value value) {
    return counted.isDefinedOutsideOfLoop(value);
  };
  for (Mainloop &mainloop : mainloops) {
    auto loop = dyn_cast<scf::ForOp>(mainloop.slice.getLoop());
    if (!loop || !llvm::all_of(ValueRange{loop.getLowerBound(),
                                          loop.getUpperBound(), loop.getStep()},
                               isOutside))
      return "its tiles differ in the iterations of their mainloops";
    bool isInTile = loop->getParentOp() == around;
    if (!isInTile && !countIterations(getTileBlock()))
      return "its branches differ in the iterations of their mainloops";
  }
  llvm::SmallDenseSet<Operation *> produced(once.begin(), once.end());
  for (Mainloop &mainloop : mainloops)
    produced.insert_range(mainloop.loads);
  bool allocates = false;
  around->walk([&](Operation *op) {
    allocates |= !produced.contains(op) && getSharedBytes(op) > 0;
  });
  return allocates ? "its groups would share temporary memory" : StringRef();
}

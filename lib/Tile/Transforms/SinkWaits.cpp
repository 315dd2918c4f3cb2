//===----------------------------------------------------------------------===//
// The pass that moves waits for wgmma down to where they are needed.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "stof/Tile/SharedMemory.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace stof {
#define GEN_PASS_DEF_SINKWAITSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

/// The wgmma whose accumulators `wait` returns.
static WgmmaOp getWgmma(WgmmaWaitOp wait) {
  auto commit = wait.getAccumulator().getDefiningOp<WgmmaCommitOp>();
  return commit ? commit.getAccumulator().getDefiningOp<WgmmaOp>() : WgmmaOp();
}

/// Whether `op` overwrites registers that `wgmma` reads: it computes the next
/// value of a carried lhs.
static bool overwritesOperand(Operation *op, WgmmaOp wgmma) {
  auto lhs = wgmma ? dyn_cast<BlockArgument>(wgmma.getLhs()) : BlockArgument();
  if (!lhs || lhs.getOwner() != op->getBlock())
    return false;
  Operation *yield = op->getBlock()->getTerminator();
  // The arguments of a body end with the carried values.
  size_t fromEnd = lhs.getOwner()->getNumArguments() - lhs.getArgNumber();
  if (yield->getNumOperands() < fromEnd)
    return false;
  Value next = yield->getOperand(yield->getNumOperands() - fromEnd);
  return next.getDefiningOp() == op;
}

/// Whether `release` may give back a tile that `wgmma` reads.
static bool releasesOperand(ReleaseOp release, WgmmaOp wgmma) {
  if (!wgmma)
    return true;
  return llvm::any_of(wgmma->getOperands(), [&](Value operand) {
    if (auto receive = operand.getDefiningOp<ReceiveOp>())
      return receive.getChannel() == release.getChannel();
    // A selection of tiles may be any of them.
    return isa<SharedType>(operand.getType()) &&
           !operand.getDefiningOp<SharedMemoryOpInterface>();
  });
}

/// Whether `op` can run while wgmma is in flight. What synchronises threads
/// cannot: after it, other threads may overwrite what wgmma reads. A load can,
/// since a barrier precedes one that overwrites a tile in use, and so can the
/// receipt of a tile, which only waits, and the end of the turn of a warpgroup,
/// whose tiles all warpgroups read.
static bool canOverlap(Operation *op) {
  if (isa<LoadOp, WgmmaFenceOp, ReceiveOp>(op))
    return true;
  if (auto end = dyn_cast<EndTurnOp>(op))
    return end.getWarpgroups();
  WalkResult meeting = op->walk([](Operation *inner) {
    auto shared = dyn_cast<SharedMemoryOpInterface>(inner);
    bool isLocal =
        !shared || (!shared.synchronizes() && shared.getSharedBytes() == 0);
    return isLocal && !isa<AwaitOp>(inner) ? WalkResult::advance()
                                           : WalkResult::interrupt();
  });
  return isMemoryEffectFree(op) && !meeting.wasInterrupted();
}

/// Moves `wait` down, before the first user of the result or an earlier
/// operation that cannot overlap. Releases of its operands stay behind it.
/// Returns the number of loads that it moved past.
static int64_t sink(WgmmaWaitOp wait) {
  WgmmaOp wgmma = getWgmma(wait);
  SmallVector<Operation *> releases;
  int64_t loads = 0;
  Operation *place = wait->getNextNode();
  for (; !place->hasTrait<OpTrait::IsTerminator>();
       place = place->getNextNode()) {
    if (auto release = dyn_cast<ReleaseOp>(place)) {
      if (releasesOperand(release, wgmma))
        releases.push_back(release);
      continue;
    }
    bool isUsed = llvm::any_of(wait->getUsers(), [&](Operation *user) {
      return place->isAncestor(user);
    });
    if (isUsed || !canOverlap(place) || overwritesOperand(place, wgmma))
      break;
    loads += isa<LoadOp>(place);
  }
  wait->moveBefore(place);
  for (Operation *release : releases)
    release->moveBefore(place);
  return loads;
}

/// Counts the groups that are committed between those of `wait` and itself.
static void countPending(WgmmaWaitOp wait) {
  Operation *commit = wait.getAccumulator().getDefiningOp();
  if (!commit || commit->getBlock() != wait->getBlock())
    return;
  int64_t pending = 0;
  for (Operation *op = commit->getNextNode(); op != wait;
       op = op->getNextNode())
    pending += isa<WgmmaCommitOp>(op);
  wait.setPending(pending);
}

namespace {
struct SinkWaitsPass : stof::impl::SinkWaitsPassBase<SinkWaitsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<WgmmaWaitOp> waits;
    getOperation().walk([&](WgmmaWaitOp wait) { waits.push_back(wait); });
    for (WgmmaWaitOp wait : waits)
      if (int64_t loads = sink(wait))
        remark::passed(wait.getLoc(),
                       remark::RemarkOpts::name("OverlappedLoads")
                           .category("stof-sink-waits"))
            << remark::metric("Loads", loads);
    for (WgmmaWaitOp wait : waits)
      countPending(wait);
  }
};
} // namespace

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

/// Whether `op` can run while wgmma is in flight. What synchronises threads
/// cannot: after it, other threads may overwrite what wgmma reads. A load can,
/// since a barrier precedes one that overwrites a tile in use.
static bool canOverlap(Operation *op) {
  if (isa<LoadOp, WgmmaFenceOp>(op))
    return true;
  auto shared = dyn_cast<SharedMemoryOpInterface>(op);
  bool isLocal =
      !shared || (!shared.synchronizes() && shared.getSharedBytes() == 0);
  return isPure(op) && isLocal && !isa<AwaitOp>(op);
}

/// The operation before which to wait: the first user of the result, or an
/// earlier one that cannot overlap.
static Operation *findPlace(WgmmaWaitOp wait) {
  Operation *next = wait->getNextNode();
  while (!next->hasTrait<OpTrait::IsTerminator>() && canOverlap(next) &&
         !llvm::is_contained(next->getOperands(), wait.getResult()))
    next = next->getNextNode();
  return next;
}

/// Moves `wait` down; returns the number of loads that it moved past.
static int64_t sink(WgmmaWaitOp wait) {
  Operation *place = findPlace(wait);
  int64_t loads = 0;
  for (Operation *op = wait->getNextNode(); op != place; op = op->getNextNode())
    loads += isa<LoadOp>(op);
  wait->moveBefore(place);
  return loads;
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
  }
};
} // namespace

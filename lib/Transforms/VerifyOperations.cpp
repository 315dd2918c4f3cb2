//===----------------------------------------------------------------------===//
// What may enter: operations whose regions somebody understands.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

namespace stof {
#define GEN_PASS_DEF_VERIFYOPERATIONSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

struct VerifyOperationsPass
    : stof::impl::VerifyOperationsPassBase<VerifyOperationsPass> {
  using Base::Base;
  void runOnOperation() override {
    WalkResult known = getOperation()->walk([](Operation *op) {
      if (op->isRegistered() || op->getNumRegions() == 0)
        return WalkResult::advance();
      op->emitOpError("cannot be compiled: expects an operation of a known "
                      "dialect, but got one that has a region and is of none");
      return WalkResult::interrupt();
    });
    if (known.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

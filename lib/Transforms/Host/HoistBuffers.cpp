//===----------------------------------------------------------------------===//
// Hoists buffers of static size to the beginning of their function.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace stof {
#define GEN_PASS_DEF_HOISTBUFFERSPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

struct HoistBuffersPass : stof::impl::HoistBuffersPassBase<HoistBuffersPass> {
  using Base::Base;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    SmallVector<memref::AllocOp> buffers;
    WalkResult known = function.walk([&](memref::AllocOp buffer) {
      buffers.push_back(buffer);
      if (buffer.getType().hasStaticShape())
        return WalkResult::advance();
      buffer.emitOpError("expects a buffer of static size, but got ")
          << buffer.getType();
      return WalkResult::interrupt();
    });
    if (known.wasInterrupted())
      return signalPassFailure();
    Block &entry = function.getBody().front();
    for (memref::AllocOp buffer : llvm::reverse(buffers))
      buffer->moveBefore(&entry, entry.begin());
    for (Block &block : function.getBody())
      if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator())) {
        OpBuilder builder(end);
        for (memref::AllocOp buffer : buffers)
          memref::DeallocOp::create(builder, buffer.getLoc(), buffer);
      }
  }
};

} // namespace

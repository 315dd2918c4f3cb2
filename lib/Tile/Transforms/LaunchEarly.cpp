//===----------------------------------------------------------------------===//
// The pass that lets kernels be launched before those ahead of them have ended
// (programmatic dependent launch): the launch of a kernel and the start of its
// CTAs overlap with the end of the kernel before it.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "stof/IR/KernelAttributes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace stof {
#define GEN_PASS_DEF_LAUNCHEARLYPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {
struct LaunchEarlyPass : stof::impl::LaunchEarlyPassBase<LaunchEarlyPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUFuncOp kernel = getOperation();
    if (!kernel.isKernel() || stof::programmaticAttr.isOn(kernel))
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(),
                                   NVVM::GridDepActionKind::wait);
    stof::programmaticAttr.set(kernel, builder.getUnitAttr());
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Writes the kernels of each stof.launch, and launches them.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/Conversion/Passes.h"
#include "stof/IR/Stof.h"
#include "stof/Support/ResolveTarget.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace stof {
#define GEN_PASS_DEF_EMITKERNELSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

/// Replaces `launch` by its kernels and their launches.
LogicalResult emitKernels(LaunchOp launch, SymbolTableCollection &symbols,
                          const TargetInfo *target) {
  Operation &computed = launch.getBody().front().front();
  auto op = dyn_cast<KernelOpInterface>(computed);
  if (!op)
    return launch.emitOpError() << "expects an operation that kernels compute, "
                                   "but got '"
                                << computed.getName() << "'";
  if (launch.getKernels().size() != op.getNumKernels())
    return launch.emitOpError()
           << "expects a kernel name for each of " << op.getNumKernels()
           << ", but got " << launch.getKernels().size();
  OpBuilder host(launch);
  for (auto [number, name] :
       llvm::enumerate(launch.getKernels().getAsRange<SymbolRefAttr>())) {
    auto module = symbols.lookupNearestSymbolFrom<gpu::GPUModuleOp>(
        launch, name.getRootReference());
    if (!module)
      return launch.emitOpError()
             << "expects a gpu.module for kernel " << name << ", but got none";
    KernelBuilder kernel(module, name.getLeafReference(), op.getLoc(), host);
    kernel.setOperations(computed.getName().getStringRef());
    if (failed(op.emitKernel(number, kernel, launch.getTemporaries(), target)))
      return failure();
  }
  launch.erase();
  return success();
}

struct EmitKernelsPass : stof::impl::EmitKernelsPassBase<EmitKernelsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerKernelModels(registry);
  }

  void runOnOperation() override {
    FailureOr<const TargetInfo *> target = resolveTarget(getOperation(), chip);
    if (failed(target))
      return signalPassFailure();
    SymbolTableCollection symbols;
    SmallVector<LaunchOp> launches;
    SmallVector<Operation *> masks;
    getOperation().walk([&](Operation *op) {
      if (auto launch = dyn_cast<LaunchOp>(op))
        launches.push_back(launch);
      else if (isa<MaskOpInterface>(op))
        masks.push_back(op);
    });
    for (LaunchOp launch : launches)
      if (failed(emitKernels(launch, symbols, *target)))
        return signalPassFailure();
    // Kernels evaluate them.
    for (Operation *mask : masks)
      if (mask->use_empty())
        mask->erase();
  }
};

} // namespace

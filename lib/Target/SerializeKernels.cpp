//===----------------------------------------------------------------------===//
// The pass that puts PTX in the place of kernels.
//===----------------------------------------------------------------------===//

#include "stof/Target/PTX.h"
#include "stof/Target/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {
#define GEN_PASS_DEF_SERIALIZEKERNELSPASS
#include "stof/Target/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// What a launch must know of each kernel: its discardable attributes, among
/// them the size of its blocks and of their shared memory.
static gpu::KernelTableAttr describeKernels(gpu::GPUModuleOp module) {
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto kernel : module.getOps<FunctionOpInterface>())
    if (kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      kernels.push_back(gpu::KernelMetadataAttr::get(
          kernel, kernel->getDiscardableAttrDictionary()));
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

namespace {
struct SerializeKernelsPass
    : stof::impl::SerializeKernelsPassBase<SerializeKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    stof::PTXOptions options = {chip, features, optLevel};
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(serialize(module, options)))
        return signalPassFailure();
  }

private:
  static LogicalResult serialize(gpu::GPUModuleOp module,
                                 const stof::PTXOptions &options) {
    FailureOr<std::string> ptx = stof::emitPTX(module, options);
    if (failed(ptx))
      return failure();
    OpBuilder builder(module);
    auto target = NVVM::NVVMTargetAttr::get(
        builder.getContext(), options.optLevel, "nvptx64-nvidia-cuda",
        options.chip, options.features);
    auto object = gpu::ObjectAttr::get(
        builder.getContext(), target, gpu::CompilationTarget::Assembly,
        builder.getStringAttr(*ptx), DictionaryAttr(), describeKernels(module));
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                          /*offloadingHandler=*/Attribute(),
                          ArrayRef<Attribute>{object});
    module.erase();
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The pass that replaces modules of kernels by PTX.
//===----------------------------------------------------------------------===//

#include "stof/Target/Passes.h"

#include "stof/Target/PTX.h"
#include "stof/Target/Ptxas.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {
#define GEN_PASS_DEF_SERIALIZEKERNELSPASS
#include "stof/Target/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// The metadata of each kernel for launches: its discardable attributes,
/// including the sizes of its CTAs and of their shared memory.
static gpu::KernelTableAttr describeKernels(gpu::GPUModuleOp module) {
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto kernel : module.getOps<FunctionOpInterface>())
    if (kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      kernels.push_back(gpu::KernelMetadataAttr::get(
          kernel, kernel->getDiscardableAttrDictionary()));
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-serialize-kernels");
}

/// Reports the resources of the kernels of a module as remarks.
static LogicalResult reportResources(gpu::GPUModuleOp module, StringRef ptx,
                                     StringRef chip) {
  std::optional<std::string> ptxas = stof::findPtxas();
  if (!ptxas) {
    remark::missed(module.getLoc(), named("NoResources"))
        << remark::reason("no ptxas on PATH");
    return success();
  }
  llvm::Expected<stof::Assembled> assembled = stof::assemble(ptx, chip, *ptxas);
  if (!assembled)
    return module.emitOpError() << llvm::toString(assembled.takeError());
  for (const stof::KernelResources &kernel : assembled->kernels) {
    Operation *op = module.lookupSymbol(kernel.kernel);
    remark::analysis(op ? op->getLoc() : module.getLoc(),
                     named("KernelResources"))
        << llvm::formatv("{0}: {1} registers, {2} bytes of spill stores, {3} "
                         "bytes of spill loads, {4} bytes of static shared "
                         "memory",
                         kernel.kernel, kernel.registers, kernel.spillStores,
                         kernel.spillLoads, kernel.sharedBytes)
               .str();
  }
  return success();
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
  LogicalResult serialize(gpu::GPUModuleOp module,
                          const stof::PTXOptions &options) {
    FailureOr<std::string> ptx = stof::emitPTX(module, options);
    if (failed(ptx))
      return failure();
    if (resources && failed(reportResources(module, *ptx, options.chip)))
      return failure();
    OpBuilder builder(module);
    auto target = NVVM::NVVMTargetAttr::get(
        builder.getContext(), options.optLevel, "nvptx64-nvidia-cuda",
        options.chip,
        options.features.empty() ? stof::getPTXFeatures(options.chip)
                                 : options.features);
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

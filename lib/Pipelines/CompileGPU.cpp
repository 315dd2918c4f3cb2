//===----------------------------------------------------------------------===//
// A model for one GPU: its kernels as PTX, its host functions as steps.
//===----------------------------------------------------------------------===//

#include "CompileTargets.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Target/PTX.h"
#include "stof/Target/Ptxas.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace stof;

/// Adds the PTX of `kernels` and, where ptxas is found, what it makes of it.
static LogicalResult addModule(gpu::GPUModuleOp kernels,
                               const PTXOptions &options, StringRef file,
                               Package &package) {
  FailureOr<std::string> ptx = emitPTX(kernels, options);
  if (failed(ptx))
    return failure();
  if (std::optional<std::string> ptxas = findPtxas()) {
    llvm::Expected<Assembled> assembled = assemble(*ptx, options.chip, *ptxas);
    if (!assembled)
      return kernels.emitError() << llvm::toString(assembled.takeError());
    package.files[(file + ".cubin").str()] =
        std::string(assembled->cubin.begin(), assembled->cubin.end());
  }
  package.files[(file + ".ptx").str()] = std::move(*ptx);
  return success();
}

LogicalResult stof::compileForGPU(ModuleOp module, StringRef target,
                                  ConstantsFile &constants, Package &package) {
  PTXOptions options;
  options.chip = target.str();
  PTXPipelineOptions pipeline;
  pipeline.chip = options.chip;
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  buildToNVVMPipeline(pm, pipeline);
  if (failed(pm.run(*lowered)))
    return failure();
  for (PackagedFunction &described : package.functions) {
    auto host = lowered->lookupSymbol<func::FuncOp>(described.name);
    auto kernels =
        lowered->lookupSymbol<gpu::GPUModuleOp>(described.name + "_kernels");
    std::string file = described.name + "." + options.chip;
    FailureOr<PackagedTarget> steps =
        describeSteps(host, target, file + ".ptx", described, constants);
    if (failed(steps) ||
        (kernels && failed(addModule(kernels, options, file, package))))
      return failure();
    described.targets.push_back(std::move(*steps));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Compilation for one GPU: kernels to PTX, host functions to steps.
//===----------------------------------------------------------------------===//

#include "CompileTargets.h"
#include "stof/CostModel/CostModel.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Support/NativeAbi.h"
#include "stof/Target/PTX.h"
#include "stof/Target/Ptxas.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace stof;

KernelReport stof::describeKernel(StringRef function, const TargetInfo *target,
                                  FunctionOpInterface kernel,
                                  const PackagedTarget *steps) {
  KernelReport described;
  described.function = function.str();
  described.target = target ? target->name.str() : "cpu";
  described.name = kernel.getName().str();
  if (ArrayAttr ops = operationsAttr.get(kernel))
    for (auto op : ops.getAsRange<StringAttr>())
      described.ops.push_back(op.str());
  if (DictionaryAttr schedule = scheduleAttr.get(kernel))
    for (NamedAttribute entry : schedule) {
      if (auto number = dyn_cast<IntegerAttr>(entry.getValue()))
        described.schedule[entry.getName().str()] = number.getInt();
      else if (auto text = dyn_cast<StringAttr>(entry.getValue()))
        described.schedule[entry.getName().str()] = text.str();
    }
  if (IntegerAttr bytes = sharedBytesAttr.get(kernel))
    described.sharedBytes = bytes.getInt();
  described.layout = describeLayout(kernel, steps);
  DictionaryAttr work = workAttr.get(kernel);
  if (work && target && target->hasOwnFigures()) {
    CostModel model(target->getFigures());
    KernelWork counted = KernelWork::fromAttribute(work);
    described.predictedMicroseconds = model.predict(counted);
    described.isUpperBound = counted.isUpperBound;
    described.predictedFor = model.getDevice().str();
  }
  return described;
}

gpu::GPUModuleOp stof::findKernels(func::FuncOp host) {
  gpu::GPUModuleOp kernels;
  host.walk([&](gpu::LaunchFuncOp launch) {
    kernels = SymbolTable::lookupNearestSymbolFrom<gpu::GPUModuleOp>(
        host, launch.getKernelModuleName());
    return WalkResult::interrupt();
  });
  return kernels;
}

void stof::describeAttentions(StringRef function, StringRef target,
                              func::FuncOp host, Report &report) {
  host.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        host, launch.getKernelAttr());
    DictionaryAttr layout = kernel ? layoutAttr.get(kernel) : DictionaryAttr();
    if (!layout)
      return;
    AttentionReport &attention =
        report.attentionAt(function, printPlace(launch.getLoc()));
    if (attention.mask.empty()) {
      attention.mask = layout.getAs<StringAttr>("mask").str();
      if (auto rows = layout.getAs<StringAttr>("empty_rows"))
        attention.emptyRows = rows.str();
    }
    attention.kernels.push_back({target.str(), kernel.getName().str()});
  });
}

/// Adds the PTX of `kernels` with `contract` and, if ptxas is available, the
/// cubin.
static LogicalResult addModule(gpu::GPUModuleOp kernels,
                               const PTXOptions &options, StringRef file,
                               StringRef contract, TimingScope &timing,
                               Package &package,
                               MutableArrayRef<KernelReport> reports) {
  TimingScope emission = timing.nest("PTX");
  FailureOr<std::string> ptx = emitPTX(kernels, options);
  emission.stop();
  if (failed(ptx))
    return failure();
  if (std::optional<std::string> ptxas = findPtxas()) {
    TimingScope assembly = timing.nest("ptxas");
    llvm::Expected<Assembled> assembled = assemble(*ptx, options.chip, *ptxas);
    if (!assembled)
      return kernels.emitError() << llvm::toString(assembled.takeError());
    for (const KernelResources &resources : assembled->kernels)
      for (KernelReport &report : reports)
        if (report.name == resources.kernel) {
          report.registers = resources.registers;
          report.spills = resources.spillStores;
        }
    package.files[(file + ".cubin").str()] =
        std::string(assembled->cubin.begin(), assembled->cubin.end());
  }
  package.files[(file + ".ptx").str()] =
      (STOF_PTX_CONTRACT + contract + "\n" + *ptx).str();
  return success();
}

WorkspaceReport stof::describeWorkspace(StringRef function,
                                        const PackagedTarget &target) {
  return {function.str(), target.target, target.workspace.toJSON(),
          target.workspaceBound};
}

LogicalResult stof::compileForGPU(ModuleOp module, const TargetInfo &target,
                                  const CompileOptions &compile,
                                  TimingScope &timing, ConstantsFile &constants,
                                  Package &package, Report &report) {
  PTXOptions options;
  options.chip = target.name.str();
  PTXPipelineOptions pipeline;
  pipeline.chip = options.chip;
  pipeline.checkBounds = compile.checkBounds;
  pipeline.keepDoubles = compile.keepDoubles;
  pipeline.search = compile.search;
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  buildToNVVMPipeline(pm, pipeline);
  pm.enableTiming(timing);
  if (failed(pm.run(*lowered)))
    return failure();
  for (auto [described, host] :
       llvm::zip_equal(package.functions, publicFunctions(*lowered))) {
    gpu::GPUModuleOp kernels = findKernels(host);
    std::string file = (host.getName() + "." + options.chip).str();
    FailureOr<PackagedTarget> steps =
        describeSteps(host, target.name, file + ".ptx", described, constants);
    if (failed(steps))
      return failure();
    size_t first = report.kernels.size();
    if (kernels) {
      for (auto kernel : kernels.getOps<FunctionOpInterface>())
        if (operationsAttr.isOn(kernel))
          report.kernels.push_back(
              describeKernel(described.name, &target, kernel, &*steps));
      if (failed(addModule(kernels, options, file,
                           describeContract(described, *steps), timing, package,
                           MutableArrayRef(report.kernels).drop_front(first))))
        return failure();
    }
    describeAttentions(described.name, target.name, host, report);
    report.workspaces.push_back(describeWorkspace(described.name, *steps));
    described.targets.push_back(std::move(*steps));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Registration of the named pipelines.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Pipelines.h"

#include "stof/Pipelines/Compile.h"
#include "stof/Search/Search.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void stof::registerPipelines() {
  registerSearchPass(compileKernel);
  PassPipelineRegistration<>(
      "stof-check", "Assertions and reads that depend on data to checks",
      buildCheckPipeline);
  PassPipelineRegistration<RaisePipelineOptions>(
      "stof-raise", "Linalg on tensors to masks and attention",
      buildRaisePipeline);
  PassPipelineRegistration<CPUPipelineOptions>(
      "stof-to-cpu", "Tensors to the LLVM dialect along the reference path",
      buildToCPUPipeline);
  PassPipelineRegistration<PlanPipelineOptions>(
      "stof-plan", "Tensors to groups, one for each kernel", buildPlanPipeline);
  PassPipelineRegistration<LowerToTilePipelineOptions>(
      "stof-lower-to-tile",
      "Groups and attention to kernels: buffers, names, code",
      buildLowerToTilePipeline);
  PassPipelineRegistration<TilePipelineOptions>(
      "stof-to-tile", "Tensors to host functions and tile kernels",
      buildToTilePipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "stof-to-nvvm", "Tensors to kernels in the LLVM and NVVM dialects",
      buildToNVVMPipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "stof-to-ptx", "Tensors to host functions and PTX", buildToPTXPipeline);
  PassPipelineRegistration<CPUPipelineOptions>(
      "stof-kernels-to-cpu",
      "Host functions and tile kernels to the LLVM dialect",
      buildTileToCPUPipeline);
}

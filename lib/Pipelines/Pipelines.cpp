//===----------------------------------------------------------------------===//
// The names of the pipelines.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

void stof::registerPipelines() {
  PassPipelineRegistration<>(
      "stof-to-cpu", "Tensors to the LLVM dialect along the reference path",
      buildToCPUPipeline);
  PassPipelineRegistration<>(
      "stof-plan", "Tensors to groups, one for each kernel", buildPlanPipeline);
  PassPipelineRegistration<>("stof-to-tile",
                             "Tensors to host functions and tile kernels",
                             buildToTilePipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "stof-to-nvvm", "Tile kernels to the LLVM and NVVM dialects",
      buildTileToNVVMPipeline);
  PassPipelineRegistration<PTXPipelineOptions>(
      "stof-to-ptx", "Tile kernels to PTX", buildTileToPTXPipeline);
}

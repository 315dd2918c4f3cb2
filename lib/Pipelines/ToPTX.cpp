//===----------------------------------------------------------------------===//
// Pipelines to PTX, from the tile dialect or from tensors.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Support/TargetInfo.h"
#include "stof/Target/PTX.h"
#include "stof/Target/Passes.h"
#include "stof/Tile/Transforms/Passes.h"
#include "stof/Transforms/Host/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void stof::buildTileToNVVMPipeline(OpPassManager &pm,
                                   const PTXPipelineOptions &options) {
  AllocateSharedMemoryPassOptions allocate;
  PipelineLoadsPassOptions pipeline;
  pipeline.stages = options.stages;
  // stof-outline-kernels and stof-serialize-kernels refuse an unknown target.
  const TargetInfo *target = findTarget(options.chip);
  if (target) {
    allocate.capacity = target->getSharedBytes();
    pipeline.scheduledCapacity = target->getSharedBytes();
  }

  // Before loops are in roles.
  pm.nest<gpu::GPUModuleOp>().addNestedPass<gpu::GPUFuncOp>(
      createDeferReductionsPass());
  bool hasWarpgroups = target && target->hasWgmma;
  if (hasWarpgroups) {
    PersistCtasPassOptions persist;
    persist.sms = static_cast<int64_t>(target->getFigures().sms);
    pm.addPass(createPersistCtasPass(persist));
    SpecializeWarpsPassOptions specialize;
    specialize.capacity = target->getSharedBytes();
    pm.addPass(createSpecializeWarpsPass(specialize));
    pm.addPass(createUseTensorMapsPass());
  }
  OpPassManager &module = pm.nest<gpu::GPUModuleOp>();
  // Before loads are pipelined: they are issued later where wgmma is in flight.
  if (hasWarpgroups) {
    module.addNestedPass<gpu::GPUFuncOp>(createOverlapIterationsPass());
    module.addNestedPass<gpu::GPUFuncOp>(createUseWarpgroupsPass());
    module.addNestedPass<gpu::GPUFuncOp>(createKeepInFlightPass());
  }
  module.addNestedPass<gpu::GPUFuncOp>(createPipelineLoadsPass(pipeline));
  // Before barriers, which depend on the reuse of buffers.
  module.addNestedPass<gpu::GPUFuncOp>(
      createAllocateSharedMemoryPass(allocate));
  module.addNestedPass<gpu::GPUFuncOp>(createInsertBarriersPass());
  // After barriers, which show how long operands of wgmma stay.
  module.addNestedPass<gpu::GPUFuncOp>(createSinkWaitsPass());
  module.addPass(createTileToNVVMPass());
  if (target && target->hasGridDependencies())
    module.addNestedPass<gpu::GPUFuncOp>(createLaunchEarlyPass());
  // For accesses to single elements and views; loads of tiles are in bounds.
  if (options.checkBounds)
    module.addPass(createGenerateRuntimeVerificationPass());
  module.addPass(createExpandMathPass());
  module.addPass(createExpandReshapesPass());
  module.addPass(memref::createExpandStridedMetadataPass());
  module.addPass(createLowerAffinePass());
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
  module.addPass(createLoopInvariantCodeMotionPass());
  // After CSE, which merges equal checks.
  module.addPass(createLowerChecksPass());
  module.addNestedPass<gpu::GPUFuncOp>(createDisableUnrollPass());
  module.addPass(createSCFToControlFlowPass());
  module.addPass(createKernelToLLVMPass());
  module.addPass(createReconcileUnrealizedCastsPass());
  module.addPass(createCanonicalizerPass());
  module.addPass(createCSEPass());
}

static void addSerialization(OpPassManager &pm,
                             const stof::PTXPipelineOptions &options) {
  stof::SerializeKernelsPassOptions serialize;
  serialize.chip = options.chip;
  serialize.features = options.features;
  serialize.optLevel = options.optLevel;
  serialize.resources = options.resources;
  pm.addPass(stof::createSerializeKernelsPass(serialize));
}

void stof::buildTileToPTXPipeline(OpPassManager &pm,
                                  const PTXPipelineOptions &options) {
  buildTileToNVVMPipeline(pm, options);
  addSerialization(pm, options);
}

void stof::buildToNVVMPipeline(OpPassManager &pm,
                               const PTXPipelineOptions &options) {
  TilePipelineOptions tile;
  tile.chip = options.chip;
  tile.keepDoubles = options.keepDoubles;
  tile.search = options.search;
  buildToTilePipeline(pm, tile);
  buildTileToNVVMPipeline(pm, options);
}

void stof::buildToPTXPipeline(OpPassManager &pm,
                              const PTXPipelineOptions &options) {
  buildToNVVMPipeline(pm, options);
  addSerialization(pm, options);
}

//===----------------------------------------------------------------------===//
// Pipelines to the LLVM dialect for CPUs: the reference path, from tensors
// without tiles, and that of tile kernels.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Transforms/Host/Passes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// Lowers loops on buffers to the LLVM dialect.
static void addLoopsToLLVM(OpPassManager &pm,
                           const stof::CPUPipelineOptions &options) {
  // Before loops, for a single check per operation on a buffer.
  if (options.checkBounds) {
    pm.addPass(createGenerateRuntimeVerificationPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(stof::createLowerChecksPass());
  pm.addPass(stof::createExpandFloatsPass());
  pm.addPass(stof::createOutlineParallelPass());
  pm.addPass(stof::createEmitEntryPointsPass());
  // After entry points, which rename functions of the model that collide with
  // the C library.
  if (options.checkBounds)
    pm.addPass(stof::createReportAssertionsPass());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(stof::createExpandReshapesPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void stof::buildReferencePipeline(OpPassManager &pm) {
  buildImportPipeline(pm);
  pm.addPass(createExpandFloat8Pass());
  pm.addPass(createInlineGroupsPass());
  pm.addPass(createDecomposeAttentionPass());
  // Operations with assertions are never moved, merged or erased.
  pm.addPass(createDropAssertionsPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // No fusion: this path is the reference for tests.
  pm.addPass(createBufferizePass());
  pm.addPass(createScatterToLoopsPass());
  pm.addPass(createNumberChecksPass());
}

void stof::buildReferenceToLLVMPipeline(OpPassManager &pm,
                                        const CPUPipelineOptions &options) {
  bufferization::buildBufferDeallocationPipeline(pm);
  addLoopsToLLVM(pm, options);
}

void stof::buildToCPUPipeline(OpPassManager &pm,
                              const CPUPipelineOptions &options) {
  buildReferencePipeline(pm);
  buildReferenceToLLVMPipeline(pm, options);
}

void stof::buildTileToCPUPipeline(OpPassManager &pm,
                                  const CPUPipelineOptions &options) {
  pm.addPass(createDropAssertionsPass());
  pm.addPass(createTileToCPUPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createBufferizePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Loops allocate nothing.
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  addLoopsToLLVM(pm, options);
}

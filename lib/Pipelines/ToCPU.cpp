//===----------------------------------------------------------------------===//
// Two ways to the LLVM dialect: the reference, from tensors and without tiles,
// and that of the kernels.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Transforms/Host/Passes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

/// From loops on buffers to the LLVM dialect.
static void addLoopsToLLVM(OpPassManager &pm,
                           const stof::CPUPipelineOptions &options) {
  // Before loops: an operation on a whole buffer is checked once.
  if (options.checkBounds) {
    pm.addPass(createGenerateRuntimeVerificationPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
  }
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(stof::createLowerChecksPass());
  pm.addPass(stof::createExpandFloatsPass());
  pm.addPass(stof::createOutlineParallelPass());
  pm.addPass(stof::createWrapEntriesPass());
  // Functions of the model have left the names of the C library by now.
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
  // An operation with an assertion in it is never moved, merged or dropped.
  pm.addPass(createDropAssertionsPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // No operation is joined with another: what this computes is what all else is
  // compared with.
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
  pm.addNestedPass<func::FuncOp>(createHoistBuffersPass());
  addLoopsToLLVM(pm, options);
}

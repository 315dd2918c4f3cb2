//===----------------------------------------------------------------------===//
// Linalg on tensors to masks and attention, and what comes before.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Pipelines.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stof;

/// What front ends leave in dialects of their own.
static void addImport(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(stof::createImportPadPass());
  pm.addPass(stof::createImportAttentionPass());
  pm.addNestedPass<func::FuncOp>(stof::createImportScanPass());
  pm.addNestedPass<func::FuncOp>(stof::createImportScatterPass());
  pm.addNestedPass<func::FuncOp>(stof::createImportSortPass());
}

void stof::buildCheckPipeline(OpPassManager &pm) {
  // What the source says of an index is what a reader is told first.
  pm.addPass(createAttachAssertionsPass());
  pm.addNestedPass<func::FuncOp>(createCheckReadsPass());
  pm.addNestedPass<func::FuncOp>(createCheckDivisorsPass());
  ImportScatterPassOptions updates;
  updates.checked = true;
  pm.addNestedPass<func::FuncOp>(createImportScatterPass(updates));
}

static void addSizes(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createRecoverSizesPass());
  pm.addNestedPass<func::FuncOp>(createAssertSizesPass());
}

void stof::buildImportPipeline(OpPassManager &pm, bool assertSizes) {
  addImport(pm);
  // The inliner expects operations that it knows.
  pm.addPass(createVerifyOperationsPass());
  // Before canonicalisation drops views and casts that need sizes to agree, and
  // again where a call was.
  if (assertSizes)
    addSizes(pm);
  pm.addPass(createInlinerPass());
  pm.addPass(createImportGlobalsPass());
  pm.addPass(createSymbolDCEPass());
  pm.addNestedPass<func::FuncOp>(createSplitComplexPass());
  // What is computed of constants has been.
  pm.addPass(createConvertElementwiseToLinalgPass());
  if (assertSizes)
    addSizes(pm);
}

void stof::buildRaisePipeline(OpPassManager &pm,
                              const RaisePipelineOptions &options) {
  addImport(pm);
  pm.addNestedPass<func::FuncOp>(createSplitComplexPass());
  // After the interface has been described, which keeps these types.
  pm.addPass(createExpandFloat8Pass());
  // Equal contractions become one value, so that the numerator and the
  // denominator of a softmax are seen to hold the same score.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createScatterSlicesPass());
  pm.addNestedPass<func::FuncOp>(createSimplifyScatterPass());
  // Before products are followed, and slices of them are taken apart.
  pm.addNestedPass<func::FuncOp>(createJoinSlicesPass());
  RaiseAttentionPassOptions raise;
  raise.scoreBound = options.scoreBound;
  pm.addPass(createRaiseAttentionPass(raise));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

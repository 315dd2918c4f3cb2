//===----------------------------------------------------------------------===//
// Pipelines from the source to linalg, masks and attention.
//===----------------------------------------------------------------------===//

#include "stof/Pipelines/Pipelines.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace stof;

/// Imports operations of front-end dialects.
static void addImport(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(stof::createImportPadPass());
  pm.addPass(stof::createImportAttentionPass());
  pm.addNestedPass<func::FuncOp>(stof::createImportScanPass());
  pm.addNestedPass<func::FuncOp>(stof::createImportScatterPass());
  pm.addNestedPass<func::FuncOp>(stof::createImportSortPass());
}

void stof::buildCheckPipeline(OpPassManager &pm) {
  // Assertions of the source take precedence over generated checks.
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
  // The inliner requires registered operations.
  pm.addPass(createVerifyOperationsPass());
  // Before canonicalization, which removes views and casts with requirements on
  // sizes; repeated after inlining for the bodies of calls.
  if (assertSizes)
    addSizes(pm);
  pm.addPass(createInlinerPass());
  pm.addPass(createImportGlobalsPass());
  pm.addPass(createSymbolDCEPass());
  pm.addNestedPass<func::FuncOp>(createSplitComplexPass());
  // After constant folding.
  pm.addPass(createConvertElementwiseToLinalgPass());
  if (assertSizes)
    addSizes(pm);
}

void stof::buildRaisePipeline(OpPassManager &pm,
                              const RaisePipelineOptions &options) {
  addImport(pm);
  pm.addNestedPass<func::FuncOp>(createSplitComplexPass());
  // After the description of the interface, which has these types.
  pm.addPass(createExpandFloat8Pass());
  // Merges equal contractions: the numerator and the denominator of a softmax
  // must use the same score.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createScatterSlicesPass());
  pm.addNestedPass<func::FuncOp>(createSimplifyScatterPass());
  // Before contractions are split by the slices of their results.
  pm.addNestedPass<func::FuncOp>(createJoinSlicesPass());
  RaiseAttentionPassOptions raise;
  raise.scoreBound = options.scoreBound;
  pm.addPass(createRaiseAttentionPass(raise));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

//===----------------------------------------------------------------------===//
// Pipelines from functions on tensors to groups, and to host functions and
// kernels in the tile dialect.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/Pipelines/Pipelines.h"
#include "stof/Search/Search.h"
#include "stof/Transforms/Host/Passes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void stof::buildPlanPipeline(OpPassManager &pm,
                             const PlanPipelineOptions &options) {
  buildImportPipeline(pm);
  // Assertions on reads have become checks; kernels cannot report others.
  DropAssertionsPassOptions assertions;
  assertions.keepSizes = true;
  pm.addPass(createDropAssertionsPass(assertions));
  buildRaisePipeline(pm, RaisePipelineOptions());
  if (!options.keepDoubles)
    pm.addNestedPass<func::FuncOp>(createNarrowStatisticsPass());
  pm.addNestedPass<func::FuncOp>(createSplitContractionsPass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createGeneralizeTensorOpsPass());
  // Removes slices and transposes that cancel, before fusion.
  addCleanup(pm);
  // Before the split of reductions: fused producers belong to the first step.
  pm.addNestedPass<func::FuncOp>(createFuseElementwisePass());
  pm.addNestedPass<func::FuncOp>(createSplitReductionsPass());
  // After fusion, which reshapes of rows would be in the way of.
  pm.addNestedPass<func::FuncOp>(createPackHeadsPass());
  addCleanup(pm);
  // After the cleanup: kernels read the slices of split-K in place.
  SplitKPassOptions split;
  split.chip = options.chip;
  pm.addNestedPass<func::FuncOp>(createSplitKPass(split));
  if (options.search) {
    pm.addPass(createSearchPass(*options.search, options.chip));
  } else {
    FormGroupsPassOptions form;
    form.chip = options.chip;
    pm.addNestedPass<func::FuncOp>(createFormGroupsPass(form));
  }
  addCleanup(pm);
  PlanLayoutPassOptions layout;
  layout.digest = true;
  layout.chip = options.chip;
  pm.addNestedPass<func::FuncOp>(createPlanLayoutPass(layout));
  // Attentions with the same mask share its tables.
  addCleanup(pm);
}

void stof::buildLowerToTilePipeline(OpPassManager &pm,
                                    const LowerToTilePipelineOptions &options) {
  pm.addPass(createBufferizeKernelsPass());
  OutlineKernelsPassOptions outline;
  outline.chip = options.chip;
  pm.addPass(createOutlineKernelsPass(outline));
  EmitKernelsPassOptions emit;
  emit.chip = options.chip;
  pm.addPass(createEmitKernelsPass(emit));
}

void stof::buildToTilePipeline(OpPassManager &pm,
                               const TilePipelineOptions &options) {
  PlanPipelineOptions plan;
  plan.chip = options.chip;
  plan.keepDoubles = options.keepDoubles;
  plan.search = options.search;
  buildPlanPipeline(pm, plan);
  LowerToTilePipelineOptions lower;
  lower.chip = options.chip;
  buildLowerToTilePipeline(pm, lower);
  addCleanup(pm);
  pm.addPass(createNumberChecksPass());
  pm.addPass(createMergeKernelsPass());
  pm.addNestedPass<func::FuncOp>(createPlanMemoryPass());
  addCleanup(pm);
}

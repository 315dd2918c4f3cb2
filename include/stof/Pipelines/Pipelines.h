//===----------------------------------------------------------------------===//
// The named pipelines, each a prefix of the way from a model to an artefact.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_PIPELINES_H
#define STOF_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace stof {

struct RaisePipelineOptions : mlir::PassPipelineOptions<RaisePipelineOptions> {
  Option<double> scoreBound{
      *this, "score-bound",
      llvm::cl::desc("Magnitude that scores are taken not to exceed where it "
                     "cannot be proven"),
      llvm::cl::init(4096)};
};

/// Assertions on indices of reads, and reads and updates at indices that depend
/// on data, to checks. Comes first: reads that other passes write are right.
void buildCheckPipeline(mlir::OpPassManager &pm);

/// What front ends leave in dialects of their own, and elementwise operations
/// on tensors, as linalg, and all calls inlined. An operation that nobody knows
/// is an error. With `assertSizes`, what operations take for granted of sizes
/// is asserted.
void buildImportPipeline(mlir::OpPassManager &pm, bool assertSizes = false);

/// Linalg on tensors, as front ends make it, to masks and attention.
void buildRaisePipeline(mlir::OpPassManager &pm,
                        const RaisePipelineOptions &options);

/// Functions on tensors to functions on buffers along the reference path: every
/// attention as the linalg that defines it, every step over whole tensors.
void buildReferencePipeline(mlir::OpPassManager &pm);

/// How native code is made.
struct CPUPipelineOptions : mlir::PassPipelineOptions<CPUPipelineOptions> {
  Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("Check every access to a buffer; one outside ends the "
                     "process with a message"),
      llvm::cl::init(false)};
};

/// The functions of the reference path to the LLVM dialect. Each public
/// function f is called as `void stof_f(const uint64_t *parameters, const void
/// *api)`.
void buildReferenceToLLVMPipeline(mlir::OpPassManager &pm,
                                  const CPUPipelineOptions &options);

/// All of the reference path.
void buildToCPUPipeline(mlir::OpPassManager &pm,
                        const CPUPipelineOptions &options);

/// Linalg on tensors to groups: attention raised, data movement as linalg,
/// elementwise chains merged, every computation in the group of its kernel.
struct PlanPipelineOptions : mlir::PassPipelineOptions<PlanPipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU that kernels are for, as ptxas names it; empty "
                     "for processors"),
      llvm::cl::init("")};
  Option<bool> keepDoubles{
      *this, "keep-doubles",
      llvm::cl::desc("Compute in f64 what is f64 only on the way"),
      llvm::cl::init(false)};
};

void buildPlanPipeline(mlir::OpPassManager &pm,
                       const PlanPipelineOptions &options);

/// Linalg on tensors to host functions and kernels in the tile dialect.
struct TilePipelineOptions : mlir::PassPipelineOptions<TilePipelineOptions> {
  Option<bool> keepDoubles{
      *this, "keep-doubles",
      llvm::cl::desc("Compute in f64 what is f64 only on the way"),
      llvm::cl::init(false)};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU that kernels are for, as ptxas names it; empty "
                     "for processors"),
      llvm::cl::init("")};
};

void buildToTilePipeline(mlir::OpPassManager &pm,
                         const TilePipelineOptions &options);

/// For which device kernels are made.
struct PTXPipelineOptions : mlir::PassPipelineOptions<PTXPipelineOptions> {
  Option<std::string> chip{
      *this, "chip", llvm::cl::desc("The architecture, as ptxas names it"),
      llvm::cl::init("sm_80")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Features of the backend, among them the version of PTX; "
                     "empty is what the chip needs"),
      llvm::cl::init("")};
  Option<int> optLevel{*this, "O",
                       llvm::cl::desc("How much LLVM optimises, 0 to 3"),
                       llvm::cl::init(3)};
  Option<int64_t> stages{
      *this, "stages",
      llvm::cl::desc("Tiles of one load that are in shared memory at a time"),
      llvm::cl::init(2)};
  Option<bool> keepDoubles{
      *this, "keep-doubles",
      llvm::cl::desc("Compute in f64 what is f64 only on the way"),
      llvm::cl::init(false)};
  Option<bool> resources{*this, "resources",
                         llvm::cl::desc("Ask ptxas what the kernels need"),
                         llvm::cl::init(false)};
  Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("Check every access to an element of a buffer and every "
                     "view; one outside is a trap"),
      llvm::cl::init(false)};
};

/// Kernels in the tile dialect to the LLVM and NVVM dialects.
void buildTileToNVVMPipeline(mlir::OpPassManager &pm,
                             const PTXPipelineOptions &options);

/// Kernels in the tile dialect to PTX: each `gpu.module` becomes a
/// `gpu.binary`. The context must know the translations to LLVM IR
/// (mlir::registerAllGPUToLLVMIRTranslations).
void buildTileToPTXPipeline(mlir::OpPassManager &pm,
                            const PTXPipelineOptions &options);

/// Linalg on tensors to host functions and kernels in the NVVM dialect.
void buildToNVVMPipeline(mlir::OpPassManager &pm,
                         const PTXPipelineOptions &options);

/// Linalg on tensors to host functions and PTX.
void buildToPTXPipeline(mlir::OpPassManager &pm,
                        const PTXPipelineOptions &options);

/// Host functions and kernels in the tile dialect to the LLVM dialect, a thread
/// block on each core. Public functions are called as those of `stof-to-cpu`;
/// their workspace comes after the results.
void buildTileToCPUPipeline(mlir::OpPassManager &pm,
                            const CPUPipelineOptions &options);

/// Makes the pipelines known to parsers of pass pipelines by their names.
void registerPipelines();

} // namespace stof

#endif // STOF_PIPELINES_PIPELINES_H

//===----------------------------------------------------------------------===//
// The named pipelines: prefixes of the compilation of a model.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_PIPELINES_H
#define STOF_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace stof {

class SearchSession;

struct RaisePipelineOptions : mlir::PassPipelineOptions<RaisePipelineOptions> {
  Option<double> scoreBound{
      *this, "score-bound",
      llvm::cl::desc("Assumed bound on the magnitude of scores where none can "
                     "be proven"),
      llvm::cl::init(4096)};
};

/// Assertions on indices, and reads and updates at indices that depend on data,
/// to checks. Runs first: reads created by passes need no checks.
void buildCheckPipeline(mlir::OpPassManager &pm);

/// Front-end dialects and elementwise operations on tensors to linalg, with all
/// calls inlined. Unsupported operations are errors. With `assertSizes`, the
/// requirements of operations on sizes become assertions.
void buildImportPipeline(mlir::OpPassManager &pm, bool assertSizes = false);

/// Linalg on tensors, as produced by front ends, to masks and attention.
void buildRaisePipeline(mlir::OpPassManager &pm,
                        const RaisePipelineOptions &options);

/// Functions on tensors to functions on buffers along the reference path:
/// attention is decomposed to linalg, operations are on whole tensors.
void buildReferencePipeline(mlir::OpPassManager &pm);

/// Options of native code.
struct CPUPipelineOptions : mlir::PassPipelineOptions<CPUPipelineOptions> {
  Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("Check every access to a buffer; one out of bounds ends "
                     "the process with a message"),
      llvm::cl::init(false)};
};

/// The functions of the reference path to the LLVM dialect. Each public
/// function f is called as `void stof_f(const uint64_t *parameters, const void
/// *api)`.
void buildReferenceToLLVMPipeline(mlir::OpPassManager &pm,
                                  const CPUPipelineOptions &options);

/// The complete reference path.
void buildToCPUPipeline(mlir::OpPassManager &pm,
                        const CPUPipelineOptions &options);

/// Linalg on tensors to groups, one per kernel, with attention raised, data
/// movement as linalg and elementwise chains fused.
struct PlanPipelineOptions : mlir::PassPipelineOptions<PlanPipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU to compile for, in ptxas spelling; empty for "
                     "CPUs"),
      llvm::cl::init("")};
  Option<bool> keepDoubles{
      *this, "keep-doubles",
      llvm::cl::desc("Compute intermediate f64 values in f64, not in f32"),
      llvm::cl::init(false)};
  /// The search that forms groups and chooses schedules; null for the first
  /// choice of the cost model.
  SearchSession *search = nullptr;
};

void buildPlanPipeline(mlir::OpPassManager &pm,
                       const PlanPipelineOptions &options);

/// Groups, attention, tile lists and scatters to kernels, in three steps:
/// buffers, names, code.
struct LowerToTilePipelineOptions
    : mlir::PassPipelineOptions<LowerToTilePipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU to compile for, in ptxas spelling; empty for "
                     "CPUs"),
      llvm::cl::init("")};
};

void buildLowerToTilePipeline(mlir::OpPassManager &pm,
                              const LowerToTilePipelineOptions &options);

/// Linalg on tensors to host functions and kernels in the tile dialect.
struct TilePipelineOptions : mlir::PassPipelineOptions<TilePipelineOptions> {
  Option<bool> keepDoubles{
      *this, "keep-doubles",
      llvm::cl::desc("Compute intermediate f64 values in f64, not in f32"),
      llvm::cl::init(false)};
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The GPU to compile for, in ptxas spelling; empty for "
                     "CPUs"),
      llvm::cl::init("")};
  /// The search that forms groups and chooses schedules; null for the first
  /// choice of the cost model.
  SearchSession *search = nullptr;
};

void buildToTilePipeline(mlir::OpPassManager &pm,
                         const TilePipelineOptions &options);

/// Options of GPU code.
struct PTXPipelineOptions : mlir::PassPipelineOptions<PTXPipelineOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("The architecture in ptxas spelling"),
                           llvm::cl::init("sm_80")};
  Option<std::string> features{
      *this, "features",
      llvm::cl::desc("Features of the backend, including the PTX version; "
                     "empty for those that the chip requires"),
      llvm::cl::init("")};
  Option<int> optLevel{*this, "O",
                       llvm::cl::desc("The LLVM optimization level, 0 to 3"),
                       llvm::cl::init(3)};
  Option<int64_t> stages{
      *this, "stages",
      llvm::cl::desc("Stages of a mainloop: shared-memory buffers per load"),
      llvm::cl::init(2)};
  Option<bool> keepDoubles{
      *this, "keep-doubles",
      llvm::cl::desc("Compute intermediate f64 values in f64, not in f32"),
      llvm::cl::init(false)};
  Option<bool> resources{*this, "resources",
                         llvm::cl::desc("Report registers, spills and shared "
                                        "memory, as computed by ptxas"),
                         llvm::cl::init(false)};
  Option<bool> checkBounds{
      *this, "check-bounds",
      llvm::cl::desc("Check every access to an element of a buffer and every "
                     "view; one out of bounds is a trap"),
      llvm::cl::init(false)};
  /// The search that forms groups and chooses schedules; null for the first
  /// choice of the cost model.
  SearchSession *search = nullptr;
};

/// Kernels in the tile dialect to the LLVM and NVVM dialects.
void buildTileToNVVMPipeline(mlir::OpPassManager &pm,
                             const PTXPipelineOptions &options);

/// Kernels in the tile dialect to PTX: each `gpu.module` becomes a
/// `gpu.binary`. The translations to LLVM IR must be registered with the
/// context (mlir::registerAllGPUToLLVMIRTranslations).
void buildTileToPTXPipeline(mlir::OpPassManager &pm,
                            const PTXPipelineOptions &options);

/// Linalg on tensors to host functions and kernels in the NVVM dialect.
void buildToNVVMPipeline(mlir::OpPassManager &pm,
                         const PTXPipelineOptions &options);

/// Linalg on tensors to host functions and PTX.
void buildToPTXPipeline(mlir::OpPassManager &pm,
                        const PTXPipelineOptions &options);

/// Host functions and kernels in the tile dialect to the LLVM dialect, with one
/// CTA per CPU core at a time. Public functions are called like those of
/// `stof-to-cpu`, with the workspace after the results.
void buildTileToCPUPipeline(mlir::OpPassManager &pm,
                            const CPUPipelineOptions &options);

/// Registers the pipelines for parsers of pass pipelines.
void registerPipelines();

} // namespace stof

#endif // STOF_PIPELINES_PIPELINES_H

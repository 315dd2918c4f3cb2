//===----------------------------------------------------------------------===//
// The named pipelines, each a prefix of the way from a model to an artefact.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_PIPELINES_H
#define STOF_PIPELINES_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace stof {

/// Functions on tensors to functions on buffers along the reference path: every
/// attention as the linalg that defines it, every step over whole tensors.
void buildReferencePipeline(mlir::OpPassManager &pm);

/// The functions of the reference path to the LLVM dialect. Each public function
/// f is called as `void stof_f(const uint64_t *parameters, const void *api)`.
void buildReferenceToLLVMPipeline(mlir::OpPassManager &pm);

/// All of the reference path.
void buildToCPUPipeline(mlir::OpPassManager &pm);

/// Functions on tensors to functions of groups: data movement as linalg,
/// elementwise chains merged, every computation in the group of its kernel.
void buildPlanPipeline(mlir::OpPassManager &pm);

/// Functions on tensors to host functions and kernels in the tile dialect.
void buildToTilePipeline(mlir::OpPassManager &pm);

/// Host functions and kernels in the tile dialect to the LLVM dialect, a thread
/// block on each core. Public functions are called as those of `stof-to-cpu`;
/// their workspace comes after the results.
void buildTileToCPUPipeline(mlir::OpPassManager &pm);

/// Makes the pipelines known to parsers of pass pipelines by their names.
void registerPipelines();

} // namespace stof

#endif // STOF_PIPELINES_PIPELINES_H

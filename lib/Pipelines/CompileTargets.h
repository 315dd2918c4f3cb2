//===----------------------------------------------------------------------===//
// What each kind of target adds to a package.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_PIPELINES_COMPILETARGETS_H
#define STOF_LIB_PIPELINES_COMPILETARGETS_H

#include "stof/Pipelines/Compile.h"
#include "stof/Target/HostSteps.h"
#include "stof/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {

/// The functions that callers see.
llvm::SmallVector<mlir::func::FuncOp> publicFunctions(mlir::ModuleOp module);

/// The kernels that `host` launches; null if it launches none.
mlir::gpu::GPUModuleOp findKernels(mlir::func::FuncOp host);

/// What is known of `kernel`, a kernel of `function` in any dialect. `steps`,
/// if there are any, are those of the function.
KernelReport describeKernel(llvm::StringRef function, llvm::StringRef target,
                            mlir::FunctionOpInterface kernel,
                            const PackagedTarget *steps = nullptr);

/// Adds to `report` which kernels the attentions of `host`, which lowers
/// `function`, are computed by on `target`.
void describeAttentions(llvm::StringRef function, llvm::StringRef target,
                        mlir::func::FuncOp host, Report &report);

/// The tiles of an attention kernel: counts of one mask, as numbers where they
/// are known and else null with a reason. `steps` of the kernel's function, if
/// given, have the lengths as expressions: the number of all tiles then is one,
/// and so are the counts of what has no mask.
std::optional<llvm::json::Object>
describeLayout(mlir::FunctionOpInterface kernel, const PackagedTarget *steps);

/// The workspace of `function` on `target`.
WorkspaceReport describeWorkspace(llvm::StringRef function,
                                  const PackagedTarget &target);

/// Compiles every public function of `module`, those of `package` in order, for
/// the GPU `target` and adds the PTX, the cubin where ptxas is found, the steps
/// of each function, and a report of each kernel. Time is counted in `timing`.
mlir::LogicalResult compileForGPU(mlir::ModuleOp module, llvm::StringRef target,
                                  const CompileOptions &options,
                                  mlir::TimingScope &timing,
                                  ConstantsFile &constants, Package &package,
                                  Report &report);

} // namespace stof

#endif // STOF_LIB_PIPELINES_COMPILETARGETS_H

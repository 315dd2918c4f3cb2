//===----------------------------------------------------------------------===//
// Compilation for one target, and its report.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_PIPELINES_COMPILETARGETS_H
#define STOF_LIB_PIPELINES_COMPILETARGETS_H

#include "stof/Pipelines/Compile.h"
#include "stof/Support/TargetInfo.h"
#include "stof/Target/LaunchPlan.h"
#include "stof/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {

/// The public functions of `module`.
llvm::SmallVector<mlir::func::FuncOp> publicFunctions(mlir::ModuleOp module);

/// The kernels that `host` launches; null if it launches none.
mlir::gpu::GPUModuleOp findKernels(mlir::func::FuncOp host);

/// The report of `kernel`, a kernel of `function` in any dialect, on `target`,
/// which is null for the CPU. `steps`, if given, are those of the function.
KernelReport describeKernel(llvm::StringRef function, const TargetInfo *target,
                            mlir::FunctionOpInterface kernel,
                            const PackagedTarget *steps = nullptr);

/// Adds to `report` the kernels of the attentions of `host`, the host function
/// of `function` on `target`.
void describeAttentions(llvm::StringRef function, llvm::StringRef target,
                        mlir::func::FuncOp host, Report &report);

/// The tiles of an attention kernel: counts of one mask, null with a reason if
/// unknown. With the `steps` of the kernel's function, the number of tiles is
/// an expression in the lengths, as are the counts of an attention without a
/// mask.
std::optional<llvm::json::Object>
describeLayout(mlir::FunctionOpInterface kernel, const PackagedTarget *steps);

/// The workspace of `function` on `target`.
WorkspaceReport describeWorkspace(llvm::StringRef function,
                                  const PackagedTarget &target);

/// Compiles every public function of `module`, those of `package` in order, for
/// `target` and adds the PTX, the cubin if ptxas is available, the
/// steps of each function, and a report of each kernel.
mlir::LogicalResult
compileForGPU(mlir::ModuleOp module, const TargetInfo &target,
              const CompileOptions &options, mlir::TimingScope &timing,
              ConstantsFile &constants, Package &package, Report &report);

} // namespace stof

#endif // STOF_LIB_PIPELINES_COMPILETARGETS_H

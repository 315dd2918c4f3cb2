//===----------------------------------------------------------------------===//
// What each kind of target adds to a package.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_PIPELINES_COMPILETARGETS_H
#define STOF_LIB_PIPELINES_COMPILETARGETS_H

#include "stof/Pipelines/Report.h"
#include "stof/Target/HostSteps.h"
#include "stof/Target/Package.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace stof {

/// What is known of `kernel`, a kernel of `function` in any dialect.
KernelReport describeKernel(llvm::StringRef function, llvm::StringRef target,
                            mlir::FunctionOpInterface kernel);

/// Compiles every public function of `module` for the GPU `target` and adds the
/// PTX, the cubin where ptxas is found, the steps of each function, and a
/// report of each kernel.
mlir::LogicalResult compileForGPU(mlir::ModuleOp module, llvm::StringRef target,
                                  ConstantsFile &constants, Package &package,
                                  Report &report);

} // namespace stof

#endif // STOF_LIB_PIPELINES_COMPILETARGETS_H

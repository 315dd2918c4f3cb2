//===----------------------------------------------------------------------===//
// What each kind of target adds to a package.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_PIPELINES_COMPILETARGETS_H
#define STOF_LIB_PIPELINES_COMPILETARGETS_H

#include "stof/Target/HostSteps.h"
#include "stof/Target/Package.h"

#include "mlir/IR/BuiltinOps.h"

namespace stof {

/// Compiles every public function of `module` for the GPU `target` and adds the
/// PTX, the cubin where ptxas is found, and the steps of each function.
mlir::LogicalResult compileForGPU(mlir::ModuleOp module, llvm::StringRef target,
                                  ConstantsFile &constants, Package &package);

} // namespace stof

#endif // STOF_LIB_PIPELINES_COMPILETARGETS_H

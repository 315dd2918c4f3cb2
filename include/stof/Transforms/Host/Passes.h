//===----------------------------------------------------------------------===//
// Passes on host functions and the kernels that they launch.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_HOST_PASSES_H
#define STOF_TRANSFORMS_HOST_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace stof {

#define GEN_PASS_DECL
#include "stof/Transforms/Host/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "stof/Transforms/Host/Passes.h.inc"

} // namespace stof

#endif // STOF_TRANSFORMS_HOST_PASSES_H

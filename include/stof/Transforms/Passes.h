//===----------------------------------------------------------------------===//
// Passes on tensors; Passes.td documents each.
//===----------------------------------------------------------------------===//

#ifndef STOF_TRANSFORMS_PASSES_H
#define STOF_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace stof {

#define GEN_PASS_DECL
#include "stof/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "stof/Transforms/Passes.h.inc"

} // namespace stof

#endif // STOF_TRANSFORMS_PASSES_H

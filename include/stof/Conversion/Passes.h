//===----------------------------------------------------------------------===//
// Conversion passes; Passes.td documents the contract of each.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_PASSES_H
#define STOF_CONVERSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace stof {

#define GEN_PASS_DECL
#include "stof/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "stof/Conversion/Passes.h.inc"

} // namespace stof

#endif // STOF_CONVERSION_PASSES_H

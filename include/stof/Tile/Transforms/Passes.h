//===----------------------------------------------------------------------===//
// Passes on tile kernels; Passes.td documents the contract of each.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_TRANSFORMS_PASSES_H
#define STOF_TILE_TRANSFORMS_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace stof {

#define GEN_PASS_DECL
#include "stof/Tile/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "stof/Tile/Transforms/Passes.h.inc"

} // namespace stof

#endif // STOF_TILE_TRANSFORMS_PASSES_H

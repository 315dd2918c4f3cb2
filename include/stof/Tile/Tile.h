//===----------------------------------------------------------------------===//
// The tile dialect: kernels as the program of one CTA on whole tiles.
// TileOps.td defines the operations, TileAttrs.td the layouts.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_TILE_H
#define STOF_TILE_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/NVVMRequiresSMTraits.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "stof/Tile/TileInterfaces.h"

#include "stof/Tile/TileDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "stof/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "stof/Tile/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "stof/Tile/TileOps.h.inc"

#endif // STOF_TILE_TILE_H

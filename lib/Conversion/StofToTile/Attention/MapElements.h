//===----------------------------------------------------------------------===//
// Elementwise tile.map operations of one result, and the constants of their
// bodies.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MAPELEMENTS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MAPELEMENTS_H

#include "stof/Tile/Tile.h"

namespace stof {

/// Computes an element of a result from its coordinates and from the elements
/// of the inputs.
using ElementBuilder = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &builder, mlir::ValueRange coordinates,
    mlir::ValueRange elements)>;

/// The fragment of type `type` with the elements that `element` builds from
/// those of `inputs`, which broadcast as in tile.map.
mlir::Value mapElements(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, mlir::ValueRange inputs,
                        ElementBuilder element);

/// An f32 constant.
mlir::Value createF32(mlir::OpBuilder &builder, mlir::Location loc,
                      float value);

/// The f32 constant -inf.
mlir::Value createNegativeInfinity(mlir::OpBuilder &builder,
                                   mlir::Location loc);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MAPELEMENTS_H

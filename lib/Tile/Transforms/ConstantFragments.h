//===----------------------------------------------------------------------===//
// Fragments whose elements are all zero, or that nothing reads: wgmma can begin
// a sum without accumulators.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_CONSTANTFRAGMENTS_H
#define STOF_LIB_TILE_TRANSFORMS_CONSTANTFRAGMENTS_H

#include "stof/Tile/Tile.h"

#include "mlir/IR/Builders.h"

namespace stof::tile {

/// Whether all elements of `fragment` are known to be zero.
bool isZero(mlir::Value fragment);

/// A fragment with undefined elements.
mlir::Value createUndefined(mlir::OpBuilder &builder, mlir::Location loc,
                            FragmentType type);

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_CONSTANTFRAGMENTS_H

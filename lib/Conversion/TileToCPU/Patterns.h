//===----------------------------------------------------------------------===//
// Tile operations as operations on whole tensors.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETOCPU_PATTERNS_H
#define STOF_LIB_CONVERSION_TILETOCPU_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"

namespace stof::tile {

/// Tiles, in registers and shared, are tensors.
void populateTileTypeConversion(mlir::TypeConverter &converter);

/// tile.load and tile.store: the part inside the bounds is copied.
void populateTileMemoryPatterns(mlir::RewritePatternSet &patterns,
                                const mlir::TypeConverter &converter);

/// The operations that compute, as linalg.
void populateTileComputePatterns(mlir::RewritePatternSet &patterns,
                                 const mlir::TypeConverter &converter);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETOCPU_PATTERNS_H

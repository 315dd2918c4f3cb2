//===----------------------------------------------------------------------===//
// Patterns that lower tile operations to tensors and linalg.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETOCPU_PATTERNS_H
#define STOF_LIB_CONVERSION_TILETOCPU_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"

namespace stof::tile {

/// Converts fragments and shared tiles to tensors.
void populateTileTypeConversion(mlir::TypeConverter &converter);

/// Lowers loads and stores to copies of the part in bounds.
void populateTileMemoryPatterns(mlir::RewritePatternSet &patterns,
                                const mlir::TypeConverter &converter);

/// Lowers computation on tiles to linalg.
void populateTileComputePatterns(mlir::RewritePatternSet &patterns,
                                 const mlir::TypeConverter &converter);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETOCPU_PATTERNS_H

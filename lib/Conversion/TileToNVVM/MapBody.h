//===----------------------------------------------------------------------===//
// Instantiation of the body of a map for one element of a thread.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_MAPBODY_H
#define STOF_LIB_CONVERSION_TILETONVVM_MAPBODY_H

#include "stof/Conversion/TileToNVVM/Coordinates.h"

#include "mlir/IR/IRMapping.h"

namespace stof::tile {

/// Clones `body`, of a map or a visit, for the element at `coordinates` and the
/// `elements` of the inputs, and returns the yielded values.
llvm::SmallVector<mlir::Value>
copyMapBody(mlir::OpBuilder &builder, mlir::Region &body,
            llvm::ArrayRef<Coordinate> coordinates, mlir::ValueRange elements);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_MAPBODY_H

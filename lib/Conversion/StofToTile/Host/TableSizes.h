//===----------------------------------------------------------------------===//
// The sizes of the tables that are made at run time.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_TABLESIZES_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_TABLESIZES_H

#include "stof/IR/Stof.h"

namespace stof {

/// The batches, heads, row tiles and key tiles that `op` lists, where batches
/// or heads that share a list count as one. `sizes` are those of `op` on the
/// host.
llvm::SmallVector<mlir::OpFoldResult>
sizesOfTiles(mlir::OpBuilder &host, ListTilesOp op,
             llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_HOST_TABLESIZES_H

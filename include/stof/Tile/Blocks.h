//===----------------------------------------------------------------------===//
// Loads in blocks of rows.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_BLOCKS_H
#define STOF_TILE_BLOCKS_H

#include "mlir/IR/ValueRange.h"

namespace stof::tile {

/// Of the `indices` of a load, which has one of each of `blocks` for dimension
/// `rows`, those of block `number`.
llvm::SmallVector<mlir::Value> getBlockIndices(mlir::ValueRange indices,
                                               int64_t rows, int64_t blocks,
                                               int64_t number);
/// The same of what is known of each index.
llvm::SmallVector<int64_t> getBlockIndices(llvm::ArrayRef<int64_t> indices,
                                           int64_t rows, int64_t blocks,
                                           int64_t number);

} // namespace stof::tile

#endif // STOF_TILE_BLOCKS_H

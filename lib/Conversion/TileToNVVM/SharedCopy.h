//===----------------------------------------------------------------------===//
// Copies of tiles from global to shared memory.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_SHAREDCOPY_H
#define STOF_LIB_CONVERSION_TILETONVVM_SHAREDCOPY_H

#include "GlobalAccess.h"

namespace stof::tile {

/// Copies `blocks` to the rows of the shared tile of `type` at `offset`, one
/// after another, by the `threads` that run the insertion point together; zeros
/// are written out of bounds, and everywhere if `condition` (i1, null for true)
/// is false. Returns whether the copies are asynchronous (cp.async); otherwise
/// they are complete.
bool copyToShared(mlir::OpBuilder &builder, mlir::Location loc,
                  llvm::ArrayRef<GlobalTile> blocks, SharedType type,
                  mlir::Value offset, mlir::Value condition, int64_t threads);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_SHAREDCOPY_H

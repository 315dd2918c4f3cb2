//===----------------------------------------------------------------------===//
// The memory of a kernel in which accesses may conflict: buffers in global
// memory, and ranges of shared memory.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_MEMORYRANGE_H
#define STOF_LIB_TILE_TRANSFORMS_MEMORYRANGE_H

#include "TileBuffers.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

namespace stof::tile {

/// A range of shared memory, in bytes, or the buffer of a tile that a loop
/// carries, or a whole buffer in global memory.
struct MemoryRange {
  mlir::Value buffer;
  Carried carried;
  int64_t first = 0, end = 0;

  bool overlaps(const MemoryRange &other) const;
  bool operator==(const MemoryRange &other) const {
    return buffer == other.buffer && carried == other.carried &&
           first == other.first && end == other.end;
  }
};

using MemoryRanges = llvm::SmallVector<MemoryRange>;

/// Adds those of `more` that are not in `ranges`.
void addRanges(MemoryRanges &ranges, llvm::ArrayRef<MemoryRange> more);

/// Whether a range overlaps one of the others.
bool overlap(llvm::ArrayRef<MemoryRange> ranges,
             llvm::ArrayRef<MemoryRange> others);

/// The underlying buffer of a view of global memory. Arguments of kernels do
/// not alias.
MemoryRange getGlobalRange(mlir::Value memory);

/// The allocation of an operation, which has an offset.
MemoryRange getAllocatedRange(SharedMemoryOpInterface op);

/// The buffers of the tiles that a loop carries.
MemoryRanges getCarriedRanges(mlir::LoopLikeOpInterface loop);

/// The memory that a shared tile may be stored in.
MemoryRanges getTileRanges(mlir::Value tile);

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_MEMORYRANGE_H

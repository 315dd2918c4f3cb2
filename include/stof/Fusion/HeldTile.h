//===----------------------------------------------------------------------===//
// A tile that holds all columns of which something is computed together.
//
// The sums of a tile wait in registers while the kernel walks over what they
// sum over. The more columns it has to hold the fewer rows it has, and the more
// warps share it.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_HELDTILE_H
#define STOF_FUSION_HELDTILE_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace stof {

/// The squares that the tensor cores compute.
constexpr int64_t squareRows = 16, squareColumns = 8;

struct HeldTile {
  int64_t rows = 64, columns = 64;
  int64_t rowWarps = 2, columnWarps = 2;

  int64_t getNumWarps() const { return rowWarps * columnWarps; }
  /// The sums of one product that a thread holds.
  int64_t getSums() const;
};

/// Tiles of at least `columns` columns for so many products at once: that with
/// most rows, and one by 4 warps, as most products take, where that has 8. None
/// if registers do not hold any. If it `isCrowded`, because elements move or
/// wide ones are combined, a thread has fewer sums if it can.
llvm::SmallVector<HeldTile, 2> findHeldTiles(int64_t columns, int64_t products,
                                             bool isCrowded);

} // namespace stof

#endif // STOF_FUSION_HELDTILE_H

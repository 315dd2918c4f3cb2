//===----------------------------------------------------------------------===//
// Which contractions a warpgroup, the four warps of a wgmma, can compute, and
// how it reads their operands.
//
// wgmma reads tiles in panels with rows of 128 bytes, in windows of eight rows
// in which chunks of 16 bytes are permuted by the row number (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Shared Memory Layout", 128-byte
// swizzle). Contiguous elements are those along K ("K-major") or those along M
// or N.
//===----------------------------------------------------------------------===//

#ifndef STOF_TILE_WARPGROUP_H
#define STOF_TILE_WARPGROUP_H

#include "stof/Tile/Tile.h"

namespace stof::tile {

/// An operand of wgmma in shared memory.
struct WarpgroupOperand {
  SharedType type;
  /// Whether elements along K are contiguous.
  bool isKMajor;

  bool isReadable() const;
  /// The byte offset of element `k` along K.
  int64_t getOffsetOfK(int64_t k) const;
  /// The byte offset of row (of the lhs) or column (of the rhs) `number`.
  int64_t getOffsetOfOuter(int64_t number) const;
  int64_t getPanelBytes() const { return type.getShape()[0] * rowBytes; }

  /// Bytes of a row of a panel, and of a window of eight rows.
  static constexpr int64_t rowBytes = 128, windowBytes = 8 * rowBytes;
};

/// The warps of a warpgroup, and the rows of the result that one wgmma
/// computes.
inline constexpr int64_t warpsPerGroup = 4, rowsPerGroup = 64;
/// The elements along K of one wgmma.
inline constexpr int64_t stepOfK = 16;
/// The fewest registers that a thread of a role keeps, and their unit (PTX ISA,
/// "setmaxnreg").
inline constexpr int64_t leastRegisters = 24, registerUnit = 8;

/// The wgmma with which a warpgroup computes its rows of `accumulator`, one
/// below the other, in one step along K.
int64_t countBlocks(FragmentType accumulator);

/// What keeps `fragment` from being the accumulators of wgmma; empty if nothing
/// does.
std::string explainNoAccumulators(FragmentType fragment);

/// What keeps warpgroups from adding the product of `lhs` and `rhs` to
/// `accumulator`, which can be that of wgmma; empty if nothing does.
std::string explainNoWgmma(mlir::ShapedType lhs, SharedType rhs,
                           FragmentType accumulator, bool transposeLhs,
                           bool transposeRhs);

} // namespace stof::tile

#endif // STOF_TILE_WARPGROUP_H

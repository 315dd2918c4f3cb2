//===----------------------------------------------------------------------===//
// The sizes that all GPUs of the table share: of a warp, and of what mma.sync
// multiplies. PTX ISA, "Warp-Level Matrix Instructions".
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_WARPSHAPE_H
#define STOF_SUPPORT_WARPSHAPE_H

#include <cstdint>

namespace stof {

inline constexpr int64_t lanesPerWarp = 32;

/// An MMA tile (m16n8k16): rows and columns of the accumulators of an
/// instruction, and the K of its 16-bit operands.
inline constexpr int64_t mmaRows = 16, mmaColumns = 8, mmaDepth = 16;

} // namespace stof

#endif // STOF_SUPPORT_WARPSHAPE_H

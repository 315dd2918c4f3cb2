//===----------------------------------------------------------------------===//
// The swizzled layout of shared tiles. Rows are stored consecutively, each
// padded to whole chunks of 16 bytes. Reading a column of chunks, as ldmatrix
// does for eight rows, would cause bank conflicts; so the chunks of a row are
// permuted by exclusive or with a number that grows with the row:
//
//     chunk         0  1  2  3  4  5  6  7      (rows of 128 bytes)
//     row 0 holds   0  1  2  3  4  5  6  7
//         1         1  0  3  2  5  4  7  6
//         2         2  3  0  1  6  7  4  5
//         ..
//
// Rows with an odd number of chunks need no swizzle, other rows below 128 bytes
// a smaller one. Tiles whose rows are a multiple of 128 bytes are stored in
// panels of 128 bytes, one after another, each with this layout, which is also
// the 128-byte swizzle of wgmma.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_TILETONVVM_SHAREDLAYOUT_H
#define STOF_CONVERSION_TILETONVVM_SHAREDLAYOUT_H

#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Tile/SharedMemory.h"

namespace stof::tile {

/// The swizzled layout of a shared tile type.
class SharedLayout {
public:
  explicit SharedLayout(SharedType type);

  int64_t getElementBytes() const { return elementBytes; }
  /// The panels along a row, and the bytes of one.
  int64_t getNumPanels() const { return panels; }
  int64_t getPanelBytes() const { return rows * pitch; }

  /// The address (ptr<3>) of a byte of the tile at `offset`; `inRow` is in
  /// bytes. If the constant of `inRow` is not zero, a known bound of its thread
  /// part lets the constant be added after the swizzle.
  mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value offset, const Coordinate &row,
                         const Coordinate &inRow) const;

  /// The offset of the columns from byte `bytes` of each row on, which must be
  /// a multiple of the swizzle window.
  mlir::Value skipColumns(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value offset, mlir::Value bytes) const;

  /// The chunks of a swizzle window: a power of two that divides the chunks of
  /// a row.
  int64_t getExchangedChunks() const { return exchanged; }

private:
  mlir::Value getExchange(mlir::OpBuilder &builder, mlir::Location loc,
                          const Coordinate &row) const;

  int64_t rows, pitch, elementBytes, exchanged, panels = 1;
};

/// The offset of the allocation of `op`, as an i32.
mlir::Value getSharedOffset(mlir::OpBuilder &builder, mlir::Operation *op);

/// The address (ptr<3>) of a byte of the dynamic shared memory.
mlir::Value getSharedPointer(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value offset, int64_t constant);

/// The symbol of the dynamic shared memory.
inline constexpr llvm::StringLiteral sharedMemorySymbol = "tile_shared_memory";

} // namespace stof::tile

#endif // STOF_CONVERSION_TILETONVVM_SHAREDLAYOUT_H

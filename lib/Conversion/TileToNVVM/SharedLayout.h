//===----------------------------------------------------------------------===//
// How a shared tile is arranged. Rows follow one another, each padded to whole
// chunks of 16 bytes. Reading a column of chunks, as ldmatrix does for eight
// rows at once, would hit the same banks again and again; so within a row the
// chunks change places, by exclusive or with a number that grows with the row:
//
//     chunk         0  1  2  3  4  5  6  7      (rows of 128 bytes)
//     row 0 holds   0  1  2  3  4  5  6  7
//         1         1  0  3  2  5  4  7  6
//         2         2  3  0  1  6  7  4  5
//         ..
//
// Rows of an odd number of chunks need none of it, those between less. Rows of
// several times 128 bytes are cut into panels of 128, one after another, each
// of which lies so: this is what products of warpgroups read as well.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_SHAREDLAYOUT_H
#define STOF_LIB_CONVERSION_TILETONVVM_SHAREDLAYOUT_H

#include "Coordinates.h"

namespace stof::tile {

/// The arrangement of tiles of one type.
class SharedLayout {
public:
  explicit SharedLayout(SharedType type);

  int64_t getElementBytes() const { return elementBytes; }
  int64_t getSizeInBytes() const { return panels * rows * pitch; }
  /// Panels beside each other, and the bytes of one.
  int64_t getNumPanels() const { return panels; }
  int64_t getPanelBytes() const { return rows * pitch; }

  /// The address (ptr<3>) of a byte of the tile at `offset`. `inRow` counts
  /// bytes; if its constant is not zero, its bound must be known for the fast
  /// form: constants from there on are added after the exchange.
  mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value offset, const Coordinate &row,
                         const Coordinate &inRow) const;

  /// The place of a tile at `offset` after `bytes` of each row: whole windows
  /// of chunks that are exchanged.
  mlir::Value skipColumns(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value offset, mlir::Value bytes) const;

  /// The chunks of 16 bytes among which places are exchanged: a power of two
  /// that divides the chunks of a row.
  int64_t getExchangedChunks() const { return exchanged; }

private:
  mlir::Value getExchange(mlir::OpBuilder &builder, mlir::Location loc,
                          const Coordinate &row) const;

  int64_t rows, pitch, elementBytes, exchanged, panels = 1;
};

/// The bytes that an element takes in memory: i1 takes one, index eight.
int64_t getElementBytes(mlir::Type element);

/// The shared tile by way of which a fragment gets another layout.
SharedType getSharedRoom(FragmentType type);

/// The address (ptr<3>) of a byte of the block's dynamic shared memory.
mlir::Value getSharedPointer(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value offset, int64_t constant);

/// The symbol that stands for the dynamic shared memory, made where missing.
inline constexpr llvm::StringLiteral sharedMemorySymbol = "tile_shared_memory";

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_SHAREDLAYOUT_H

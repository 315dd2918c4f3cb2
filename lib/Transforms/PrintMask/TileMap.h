//===----------------------------------------------------------------------===//
// Pictures of the full, partial and empty tiles of a mask.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PRINTMASK_TILEMAP_H
#define STOF_LIB_TRANSFORMS_PRINTMASK_TILEMAP_H

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace stof {

enum class TileKind : uint8_t { Empty, Partial, Full };

/// The kinds of all tiles of one mask, row-major.
class TileMap {
public:
  TileMap(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), kinds(rows * columns, TileKind::Empty) {}

  int64_t getNumRows() const { return rows; }
  int64_t getNumColumns() const { return columns; }
  TileKind &at(int64_t row, int64_t column) {
    assert(0 <= row && row < rows && 0 <= column && column < columns &&
           "expects a tile of the map");
    return kinds[row * columns + column];
  }
  TileKind at(int64_t row, int64_t column) const {
    return kinds[row * columns + column];
  }
  int64_t count(TileKind kind) const;

  /// The least number of tiles per side of a cell for at most `limit` cells per
  /// side.
  int64_t getScale(int64_t limit) const;
  /// The map with `scale` x `scale` tiles per cell. Cells of several kinds are
  /// partial.
  TileMap shrink(int64_t scale) const;

  /// Prints one line per row tile.
  void print(llvm::raw_ostream &os) const;

private:
  int64_t rows, columns;
  std::vector<TileKind> kinds;
};

/// A picture of several maps, stacked vertically.
class TileDrawing {
public:
  void add(llvm::StringRef title, const TileMap &map);
  /// Prints the picture as SVG.
  void print(llvm::raw_ostream &os) const;

private:
  std::string figures;
  int64_t height = 0;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PRINTMASK_TILEMAP_H

//===----------------------------------------------------------------------===//
// Pictures of which tiles of a mask are full, partial and empty.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PRINTMASK_TILEMAP_H
#define STOF_LIB_TRANSFORMS_PRINTMASK_TILEMAP_H

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace stof {

enum class TileKind : uint8_t { Empty, Partial, Full };

/// The kinds of all tiles of one mask, row by row.
class TileMap {
public:
  TileMap(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), kinds(rows * columns, TileKind::Empty) {}

  int64_t getNumRows() const { return rows; }
  int64_t getNumColumns() const { return columns; }
  TileKind &at(int64_t row, int64_t column) {
    return kinds[row * columns + column];
  }
  TileKind at(int64_t row, int64_t column) const {
    return kinds[row * columns + column];
  }
  int64_t count(TileKind kind) const;

  /// How many tiles one cell takes on either side so that neither has more
  /// cells than `limit`.
  int64_t getScale(int64_t limit) const;
  /// The map of squares of `scale` tiles. A cell of several kinds is partial.
  TileMap shrink(int64_t scale) const;

  /// One line for each row tile.
  void print(llvm::raw_ostream &os) const;

private:
  int64_t rows, columns;
  std::vector<TileKind> kinds;
};

/// One picture of several maps, one below the other.
class TileDrawing {
public:
  void add(llvm::StringRef title, const TileMap &map);
  /// Writes the picture as SVG.
  void print(llvm::raw_ostream &os) const;

private:
  std::string figures;
  int64_t height = 0;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PRINTMASK_TILEMAP_H

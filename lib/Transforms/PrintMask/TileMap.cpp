//===----------------------------------------------------------------------===//
// Maps of tiles as text and as SVG.
//===----------------------------------------------------------------------===//

#include "TileMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace stof;

int64_t TileMap::count(TileKind kind) const { return llvm::count(kinds, kind); }

int64_t TileMap::getScale(int64_t limit) const {
  return llvm::divideCeil(std::max(rows, columns), limit);
}

TileMap TileMap::shrink(int64_t scale) const {
  TileMap small(llvm::divideCeil(rows, scale),
                llvm::divideCeil(columns, scale));
  std::vector<bool> known(small.kinds.size());
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t cell = row / scale * small.columns + column / scale;
      TileKind &kind = small.kinds[cell];
      if (!known[cell])
        kind = at(row, column);
      else if (kind != at(row, column))
        kind = TileKind::Partial;
      known[cell] = true;
    }
  return small;
}

void TileMap::print(llvm::raw_ostream &os) const {
  for (int64_t row = 0; row < rows; ++row) {
    os << "  ";
    for (int64_t column = 0; column < columns; ++column)
      os << ".+#"[static_cast<unsigned>(at(row, column))];
    os << '\n';
  }
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

namespace {
/// The longer side of a figure, its margin, and the height of a line of text.
constexpr int64_t side = 480, margin = 16, line = 22;
/// The most cells per side; more would be smaller than a pixel.
constexpr int64_t maxCells = 480;
/// Wide enough for a title.
constexpr int64_t width = 800;

/// A rectangle of cells of one kind.
struct Rectangle {
  int64_t row, column, rows, columns;
  TileKind kind;
};
} // namespace

/// Covers the non-empty cells: contiguous cells of one kind in a row, merged
/// with equal ones in the rows below.
static std::vector<Rectangle> findRectangles(const TileMap &map) {
  std::vector<Rectangle> rectangles;
  // The rectangles of the previous row, by their first column.
  std::map<int64_t, size_t> above;
  for (int64_t row = 0; row < map.getNumRows(); ++row) {
    std::map<int64_t, size_t> here;
    for (int64_t begin = 0, end; begin < map.getNumColumns(); begin = end) {
      TileKind kind = map.at(row, begin);
      end = begin + 1;
      while (end < map.getNumColumns() && map.at(row, end) == kind)
        ++end;
      if (kind == TileKind::Empty)
        continue;
      auto same = above.find(begin);
      if (same != above.end() &&
          rectangles[same->second].columns == end - begin &&
          rectangles[same->second].kind == kind) {
        ++rectangles[same->second].rows;
        here[begin] = same->second;
      } else {
        here[begin] = rectangles.size();
        rectangles.push_back({row, begin, 1, end - begin, kind});
      }
    }
    above = std::move(here);
  }
  return rectangles;
}

void TileDrawing::add(llvm::StringRef title, const TileMap &map) {
  TileMap cells = map.shrink(map.getScale(maxCells));
  int64_t rows = cells.getNumRows(), columns = cells.getNumColumns();
  double scale = double(side) / std::max(rows, columns);
  llvm::raw_string_ostream os(figures);
  os << llvm::formatv("<g transform=\"translate({0} {1})\">\n", margin, height);
  os << llvm::formatv("<text y=\"{0}\">", line - 6);
  llvm::printHTMLEscaped(title, os);
  os << "</text>\n";
  os << llvm::formatv("<g transform=\"translate(0 {0}) scale({1:f4})\">\n",
                      line, scale);
  os << llvm::formatv("<rect class=\"empty\" width=\"{0}\" height=\"{1}\"/>\n",
                      columns, rows);
  for (const Rectangle &rectangle : findRectangles(cells))
    os << llvm::formatv("<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" "
                        "width=\"{3}\" height=\"{4}\"/>\n",
                        rectangle.kind == TileKind::Full ? "full" : "partial",
                        rectangle.column, rectangle.row, rectangle.columns,
                        rectangle.rows);
  os << "</g>\n</g>\n";
  height += line + int64_t(scale * rows) + margin;
}

void TileDrawing::print(llvm::raw_ostream &os) const {
  os << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                      "viewBox=\"0 0 {0} {1}\">\n",
                      width, height + line + 2 * margin);
  os << "<style>\n"
        "text { font: 14px sans-serif; fill: #222 }\n"
        "rect { shape-rendering: crispEdges }\n"
        ".full { fill: #1f4e79 }\n"
        ".partial { fill: #e39b3b }\n"
        ".empty { fill: #f2f2f2; stroke: #999; stroke-width: 1; "
        "vector-effect: non-scaling-stroke }\n"
        "</style>\n";
  int64_t x = margin;
  for (llvm::StringRef name : {"full", "partial", "empty"}) {
    os << llvm::formatv("<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" width=\"14\" "
                        "height=\"14\"/><text x=\"{3}\" y=\"{4}\">{0}</text>\n",
                        name, x, margin, x + 20, margin + 12);
    x += 90;
  }
  os << llvm::formatv("<g transform=\"translate(0 {0})\">\n",
                      line + margin + margin / 2)
     << figures << "</g>\n</svg>\n";
}

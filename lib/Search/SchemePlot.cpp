//===----------------------------------------------------------------------===//
// A scheme of a function as a row of boxes, one for each operation; boxes of a
// group touch. The chosen scheme is below the untuned one.
//===----------------------------------------------------------------------===//

#include "Plots.h"

#include "Drawing.h"

#include <algorithm>

using namespace stof;
using llvm::StringRef;

static constexpr double box = 20, gap = 6, left = 66, rowHeight = 34;
/// The operations of a line; longer schemes continue below.
static constexpr size_t lineLength = 28;

/// Whether a group ends before the operation `at`.
static bool isBoundary(StringRef bits, size_t at) {
  return at == 0 || at >= bits.size() || bits[at] != bits[at - 1];
}

/// Draws the operations of a line. Each has room for a boundary before it, so
/// that an operation has the same place in both rows.
static void plotRow(Markup &page, StringRef name, StringRef bits,
                    StringRef other, size_t from, double y) {
  size_t to = std::min(bits.size(), from + lineLength);
  if (from >= to)
    return;
  drawText(page, ("label " + name).str(), "end", left - 10, y + 14, name);
  auto place = [&](size_t at) { return left + (box + gap) * (at - from); };
  for (size_t first = from, last; first < to; first = last) {
    last = first + 1;
    while (last < to && !isBoundary(bits, last))
      ++last;
    // A group that a line breaks stays open there.
    double begin = place(first) - (isBoundary(bits, first) ? 0 : gap);
    double end = place(last) - (isBoundary(bits, last) ? gap : 0);
    drawBox(page, "group", begin, y, end - begin, box, 4);
    for (size_t at = first; at < last; ++at) {
      if (at > first)
        drawLine(page, "cell", place(at) - gap / 2, y + 3, place(at) - gap / 2,
                 y + box - 3);
      drawText(page, "bit", "middle", place(at) + box / 2, y + 14.5,
               bits.substr(at, 1));
    }
  }
  for (size_t at = std::max<size_t>(from, 1); at < to; ++at)
    if (isBoundary(bits, at) && !isBoundary(other, at))
      drawLine(page, ("moved " + name).str(), place(at) - gap / 2, y - 4,
               place(at) - gap / 2, y + box + 4);
}

void stof::plotScheme(Markup &page, const SearchedScheme &scheme) {
  StringRef untuned = scheme.untuned, chosen = scheme.chosen;
  size_t length = std::max(untuned.size(), chosen.size());
  if (!length)
    return;
  size_t lines = (length + lineLength - 1) / lineLength;
  constexpr double space = 16, lineHeight = 2 * rowHeight + space;
  double width = left + (box + gap) * std::min(length, lineLength) + gap;
  Markup::Element scroll(page, "div", {{"class", "scroll"}});
  Drawing drawing(page, width, lines * lineHeight - space,
                  "Untuned scheme " + scheme.untuned + ", chosen scheme " +
                      scheme.chosen + " of " + scheme.function);
  for (size_t line = 0; line < lines; ++line) {
    double y = line * lineHeight + 8;
    plotRow(page, "untuned", untuned, chosen, line * lineLength, y);
    plotRow(page, "chosen", chosen, untuned, line * lineLength, y + rowHeight);
  }
}

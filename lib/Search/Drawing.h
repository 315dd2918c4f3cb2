//===----------------------------------------------------------------------===//
// Shapes of the plots of a search, as SVG.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_DRAWING_H
#define STOF_LIB_SEARCH_DRAWING_H

#include "Markup.h"

namespace stof {

/// What a mark says of a schedule. Each has a shape of its own.
enum class Mark { Measured, Known, Untuned, Chosen, Failed, Unmeasured };

/// Draws a mark around a point; pointing at it shows `title`.
void drawMark(Markup &page, Mark mark, double x, double y,
              llvm::StringRef title);

void drawLine(Markup &page, llvm::StringRef style, double fromX, double fromY,
              double toX, double toY);

/// Draws text whose `anchor` (`start`, `middle`, `end`) is at a point.
void drawText(Markup &page, llvm::StringRef style, llvm::StringRef anchor,
              double x, double y, llvm::StringRef text);

void drawBox(Markup &page, llvm::StringRef style, double x, double y,
             double width, double height, double radius = 0);

/// An image with `title` as its alternative text, which ends with its scope.
class Drawing {
public:
  Drawing(Markup &page, double width, double height, llvm::StringRef title);

private:
  Markup::Element svg;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_DRAWING_H

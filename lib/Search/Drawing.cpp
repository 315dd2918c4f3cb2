//===----------------------------------------------------------------------===//
// Shapes of the plots of a search, as SVG.
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "FormatNumbers.h"

#include "llvm/Support/ErrorHandling.h"

using namespace stof;
using llvm::StringRef;

static StringRef nameStyle(Mark mark) {
  switch (mark) {
  case Mark::Measured:
    return "mark measured";
  case Mark::Known:
    return "mark known";
  case Mark::Untuned:
    return "mark untuned";
  case Mark::Chosen:
    return "mark chosen";
  case Mark::Failed:
    return "mark failed";
  case Mark::Unmeasured:
    return "mark unmeasured";
  }
  llvm_unreachable("not a mark");
}

/// The outline of a mark, around the origin.
static StringRef getOutline(Mark mark) {
  switch (mark) {
  case Mark::Measured:
  case Mark::Known:
    return "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
  case Mark::Untuned:
    return "M-7 -7H7V7H-7z";
  case Mark::Chosen:
    return "M0 -7.5L6.5 0L0 7.5L-6.5 0z";
  case Mark::Failed:
    return "M-4 -4L4 4M-4 4L4 -4";
  case Mark::Unmeasured:
    return "M0 -4V4";
  }
  llvm_unreachable("not a mark");
}

void stof::drawMark(Markup &page, Mark mark, double x, double y,
                    StringRef title) {
  std::string at = "translate(" + formatPixels(x) + " " + formatPixels(y) + ")";
  Markup::Element path(page, "path",
                       {{"class", nameStyle(mark).str()},
                        {"transform", at},
                        {"d", getOutline(mark).str()}});
  page.leaf("title", {}, title);
}

void stof::drawLine(Markup &page, StringRef style, double fromX, double fromY,
                    double toX, double toY) {
  page.empty("line", {{"class", style.str()},
                      {"x1", formatPixels(fromX)},
                      {"y1", formatPixels(fromY)},
                      {"x2", formatPixels(toX)},
                      {"y2", formatPixels(toY)}});
}

void stof::drawText(Markup &page, StringRef style, StringRef anchor, double x,
                    double y, StringRef text) {
  page.leaf("text",
            {{"class", style.str()},
             {"text-anchor", anchor.str()},
             {"x", formatPixels(x)},
             {"y", formatPixels(y)}},
            text);
}

void stof::drawBox(Markup &page, StringRef style, double x, double y,
                   double width, double height, double radius) {
  page.empty("rect", {{"class", style.str()},
                      {"x", formatPixels(x)},
                      {"y", formatPixels(y)},
                      {"width", formatPixels(width)},
                      {"height", formatPixels(height)},
                      {"rx", formatPixels(radius)}});
}

Drawing::Drawing(Markup &page, double width, double height, StringRef title)
    : svg(page, "svg",
          {{"role", "img"},
           {"width", formatPixels(width)},
           {"height", formatPixels(height)},
           {"viewBox",
            "0 0 " + formatPixels(width) + " " + formatPixels(height)},
           {"aria-label", title.str()}}) {}

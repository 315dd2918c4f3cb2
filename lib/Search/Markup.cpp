//===----------------------------------------------------------------------===//
// A writer of HTML that is well-formed XML too.
//===----------------------------------------------------------------------===//

#include "Markup.h"

#include "llvm/Support/JSON.h"

using namespace stof;
using llvm::StringRef;

static void printEscaped(StringRef text, llvm::raw_ostream &os) {
  constexpr StringRef replacement = "\xEF\xBF\xBD";
  std::string valid = llvm::json::fixUTF8(text);
  for (StringRef rest = valid; !rest.empty();) {
    // These two characters are Unicode, but not XML; nor is a control
    // character, escaped or not.
    if (rest.consume_front("\xEF\xBF\xBE") ||
        rest.consume_front("\xEF\xBF\xBF")) {
      os << replacement;
      continue;
    }
    char c = rest.front();
    rest = rest.drop_front();
    if (StringRef("<>&\"'").contains(c))
      os << "&#" << static_cast<int>(c) << ';';
    else if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t')
      os << replacement;
    else
      os << c;
  }
}

void Markup::begin(StringRef tag, Attributes attributes) {
  os << '<' << tag;
  for (const auto &[name, value] : attributes) {
    os << ' ' << name << "=\"";
    printEscaped(value, os);
    os << '"';
  }
}

Markup::Element::Element(Markup &markup, StringRef tag, Attributes attributes)
    : markup(markup), tag(tag) {
  markup.begin(tag, attributes);
  markup.os << ">\n";
}

Markup::Element::~Element() { markup.os << "</" << tag << ">\n"; }

void Markup::text(StringRef text) { printEscaped(text, os); }

void Markup::leaf(StringRef tag, Attributes attributes, StringRef text) {
  begin(tag, attributes);
  os << '>';
  printEscaped(text, os);
  os << "</" << tag << '>';
}

void Markup::empty(StringRef tag, Attributes attributes) {
  begin(tag, attributes);
  os << "/>\n";
}

//===----------------------------------------------------------------------===//
// A writer of HTML that is well-formed XML too: elements end with a scope, and
// all text is escaped.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_MARKUP_H
#define STOF_LIB_SEARCH_MARKUP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace stof {

class Markup {
public:
  using Attributes =
      std::initializer_list<std::pair<llvm::StringRef, std::string>>;

  explicit Markup(llvm::raw_ostream &os) : os(os) {}

  /// Ends where its scope does.
  class Element {
  public:
    Element(Markup &markup, llvm::StringRef tag, Attributes attributes = {});
    Element(const Element &) = delete;
    Element &operator=(const Element &) = delete;
    ~Element();

  private:
    Markup &markup;
    llvm::StringRef tag;
  };

  void text(llvm::StringRef text);

  /// An element that has only text.
  void leaf(llvm::StringRef tag, Attributes attributes, llvm::StringRef text);

  /// An element that has no content.
  void empty(llvm::StringRef tag, Attributes attributes);

private:
  void begin(llvm::StringRef tag, Attributes attributes);

  llvm::raw_ostream &os;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_MARKUP_H

//===----------------------------------------------------------------------===//
// JSON from files that anyone may have written. LLVM's parser calls itself for
// each level of nesting, so the levels are counted first.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_PARSEJSON_H
#define STOF_SUPPORT_PARSEJSON_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace stof {

/// Parses `text`, refusing nesting that would exhaust the stack.
inline llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text) {
  constexpr unsigned deepest = 128;
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > deepest)
      return llvm::createStringError("more than " + llvm::Twine(deepest) +
                                     " levels of nesting");
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return llvm::json::parse(text);
}

} // namespace stof

#endif // STOF_SUPPORT_PARSEJSON_H

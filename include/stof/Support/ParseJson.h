//===----------------------------------------------------------------------===//
// JSON from untrusted files. LLVM's parser recurses for each level of nesting,
// keeps the last of duplicate keys, and accepts 4.0 as an integer, so the text
// is scanned first.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_PARSEJSON_H
#define STOF_SUPPORT_PARSEJSON_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <vector>

namespace stof {

/// Scans a text for constructs that are rejected although they may be JSON.
class JsonScanner {
public:
  explicit JsonScanner(bool wholeNumbers) : wholeNumbers(wholeNumbers) {}

  llvm::Error scan(llvm::StringRef text) {
    while (!text.empty()) {
      char c = text.front();
      size_t length = 1;
      if (c == '"') {
        length = findEndOfString(text);
        if (!levels.empty() && levels.back().expectsKey)
          if (llvm::Error error = addKey(text.take_front(length)))
            return error;
      } else if (c == '[' || c == '{') {
        levels.push_back({c == '{', c == '{', {}});
        if (levels.size() > deepest)
          return llvm::createStringError("more than " + llvm::Twine(deepest) +
                                         " levels of nesting");
      } else if ((c == ']' || c == '}') && !levels.empty()) {
        levels.pop_back();
      } else if (c == ',' && !levels.empty()) {
        levels.back().expectsKey = levels.back().isObject;
      } else if (c == '-' || llvm::isDigit(c)) {
        length =
            std::min(text.find_first_not_of("+-.0123456789eE"), text.size());
        llvm::StringRef number = text.take_front(length);
        if (wholeNumbers && number.find_first_of(".eE") != number.npos)
          return llvm::createStringError("the number " + number +
                                         " instead of an integer");
      }
      text = text.drop_front(length);
    }
    return llvm::Error::success();
  }

private:
  struct Level {
    bool isObject, expectsKey;
    llvm::StringSet<> keys;
  };

  /// The length of a string with its quotes, or of the text if it has no end.
  static size_t findEndOfString(llvm::StringRef text) {
    for (size_t i = 1; i < text.size(); ++i)
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        return i + 1;
    return text.size();
  }

  /// Keys are compared unescaped.
  llvm::Error addKey(llvm::StringRef quoted) {
    levels.back().expectsKey = false;
    llvm::Expected<llvm::json::Value> key = llvm::json::parse(quoted);
    if (!key)
      return key.takeError();
    std::optional<llvm::StringRef> name = key->getAsString();
    if (name && !levels.back().keys.insert(*name).second)
      return llvm::createStringError("the duplicate key '" + *name + "'");
    return llvm::Error::success();
  }

  static constexpr size_t deepest = 128;
  std::vector<Level> levels;
  bool wholeNumbers;
};

/// Parses `text`. Rejects nesting that would exhaust the stack, duplicate keys
/// and, with `wholeNumbers`, numbers with a fraction or an exponent.
inline llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                                   bool wholeNumbers = false) {
  if (llvm::Error error = JsonScanner(wholeNumbers).scan(text))
    return std::move(error);
  return llvm::json::parse(text);
}

} // namespace stof

#endif // STOF_SUPPORT_PARSEJSON_H

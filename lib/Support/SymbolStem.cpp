//===----------------------------------------------------------------------===//
// Names that every tool takes.
//===----------------------------------------------------------------------===//

#include "stof/Support/SymbolStem.h"

#include "llvm/ADT/StringExtras.h"

std::string stof::stemOf(llvm::StringRef name) {
  std::string stem;
  if (name.empty() || llvm::isDigit(name.front()))
    stem = "_";
  for (char c : name.take_front(longestStem - stem.size()))
    stem.push_back(llvm::isAlnum(c) ? c : '_');
  return stem;
}

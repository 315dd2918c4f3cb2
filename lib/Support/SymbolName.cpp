//===----------------------------------------------------------------------===//
// Sanitizes symbol names for PTX, linkers and file systems.
//===----------------------------------------------------------------------===//

#include "stof/Support/SymbolName.h"

#include "llvm/ADT/StringExtras.h"

std::string stof::sanitizeSymbolName(llvm::StringRef name) {
  std::string symbol;
  if (name.empty() || llvm::isDigit(name.front()))
    symbol = "_";
  for (char c : name.take_front(maxSymbolLength - symbol.size()))
    symbol.push_back(llvm::isAlnum(c) ? c : '_');
  return symbol;
}

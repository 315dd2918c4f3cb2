//===----------------------------------------------------------------------===//
// Symbol names of kernels, entries and files. MLIR allows any bytes in a name;
// PTX, linkers and file systems do not.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_SYMBOLNAME_H
#define STOF_SUPPORT_SYMBOLNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace stof {

/// The maximum length, which leaves room for suffixes.
inline constexpr size_t maxSymbolLength = 64;

/// `name` as an identifier of at most `maxSymbolLength` alphanumeric characters
/// and underscores; unchanged if it is one. Different names can become equal.
std::string sanitizeSymbolName(llvm::StringRef name);

} // namespace stof

#endif // STOF_SUPPORT_SYMBOLNAME_H

//===----------------------------------------------------------------------===//
// What the names of kernels, entries and files are made of. MLIR takes any
// bytes as a name; PTX, linkers and file systems do not.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_SYMBOLSTEM_H
#define STOF_SUPPORT_SYMBOLSTEM_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace stof {

/// The longest stem; what is made of it has room for more.
inline constexpr size_t longestStem = 64;

/// `name` as a short identifier of letters, digits and underscores, which is
/// `name` itself if that is one. Different names may have the same stem.
std::string stemOf(llvm::StringRef name);

} // namespace stof

#endif // STOF_SUPPORT_SYMBOLSTEM_H

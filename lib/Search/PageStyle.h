//===----------------------------------------------------------------------===//
// The style sheet of the page of a search.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_PAGESTYLE_H
#define STOF_LIB_SEARCH_PAGESTYLE_H

#include "llvm/ADT/StringRef.h"

namespace stof {

/// CSS without the characters that XML escapes: HTML would not read them back.
llvm::StringRef getPageStyle();

} // namespace stof

#endif // STOF_LIB_SEARCH_PAGESTYLE_H

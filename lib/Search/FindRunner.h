//===----------------------------------------------------------------------===//
// Where the program is that runs packages.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_FINDRUNNER_H
#define STOF_LIB_SEARCH_FINDRUNNER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stof {

/// The path of `given`, or if this is empty of the `stof-run` next to
/// `program`, or else in PATH.
llvm::Expected<std::string> findRunner(llvm::StringRef given,
                                       llvm::StringRef program);

} // namespace stof

#endif // STOF_LIB_SEARCH_FINDRUNNER_H

//===----------------------------------------------------------------------===//
// The output of --version: the version of the program, then that of LLVM.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_LIB_VERSION_H
#define STOF_TOOLS_LIB_VERSION_H

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace stof {

inline void setVersionPrinter(llvm::StringRef program) {
  llvm::cl::SetVersionPrinter([program](llvm::raw_ostream &os) {
    os << program << " " << STOF_VERSION << "\nLLVM version "
       << LLVM_VERSION_STRING << "\n";
  });
}

} // namespace stof

#endif // STOF_TOOLS_LIB_VERSION_H

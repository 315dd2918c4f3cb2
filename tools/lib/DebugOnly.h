//===----------------------------------------------------------------------===//
// --debug-only, which the libraries of a release build of LLVM leave out: the
// names are those of passes, and print what LDBG() logs in stof's own code.
// Exists where stof is built with assertions.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_LIB_DEBUGONLY_H
#define STOF_TOOLS_LIB_DEBUGONLY_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

#include <string>

namespace stof {

/// Adds the option, unless LLVM was built with it or stof without assertions.
inline void addDebugOnlyOption() {
#ifndef NDEBUG
  if (llvm::cl::getRegisteredOptions().contains("debug-only"))
    return;
  static llvm::SmallVector<std::string> names;
  static llvm::cl::list<std::string> option(
      "debug-only", llvm::cl::CommaSeparated,
      llvm::cl::desc("Print what these passes log, e.g. stof-plan-layout"),
      llvm::cl::value_desc("names"),
      llvm::cl::callback([](const std::string &name) {
        names.push_back(name);
        llvm::SmallVector<const char *> types;
        for (const std::string &type : names)
          types.push_back(type.c_str());
        llvm::DebugFlag = true;
        llvm::setCurrentDebugTypes(types.data(), types.size());
      }));
#endif
}

} // namespace stof

#endif // STOF_TOOLS_LIB_DEBUGONLY_H

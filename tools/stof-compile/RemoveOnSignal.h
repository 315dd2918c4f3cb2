//===----------------------------------------------------------------------===//
// Cleanup of temporary files if a signal ends the compiler.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_REMOVEONSIGNAL_H
#define STOF_TOOLS_STOFCOMPILE_REMOVEONSIGNAL_H

#include "llvm/ADT/StringRef.h"

namespace stof {

/// Registers a file for removal if a signal ends the process, or a folder,
/// which is removed if empty. Only the last folder is removed.
void removeOnSignal(llvm::StringRef path, bool isFolder);

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_REMOVEONSIGNAL_H

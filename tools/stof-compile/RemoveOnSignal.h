//===----------------------------------------------------------------------===//
// What a compiler that is interrupted takes with it.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_REMOVEONSIGNAL_H
#define STOF_TOOLS_STOFCOMPILE_REMOVEONSIGNAL_H

#include "llvm/ADT/StringRef.h"

namespace stof {

/// Has a file removed if a signal ends the process, and one folder, the last
/// that was named, once it is empty.
void removeOnSignal(llvm::StringRef path, bool isFolder);

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_REMOVEONSIGNAL_H

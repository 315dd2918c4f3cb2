//===----------------------------------------------------------------------===//
// Linking of a relocatable object to a shared object.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_NATIVELINK_H
#define STOF_LIB_TARGET_NATIVELINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stof {

/// Links the ELF object `object` into a shared object and returns its bytes.
llvm::Expected<std::string> linkSharedObject(llvm::StringRef object);

} // namespace stof

#endif // STOF_LIB_TARGET_NATIVELINK_H

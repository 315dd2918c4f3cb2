//===----------------------------------------------------------------------===//
// The word by which compiled code says which check failed: an argument of host
// functions on buffers. The function lists what numbers in it mean.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_STATUSWORD_H
#define STOF_IR_STATUSWORD_H

#include "llvm/ADT/StringRef.h"

namespace stof {

/// The attribute of the argument.
inline constexpr llvm::StringLiteral statusName = "stof.status";

/// The attribute of the function: locations named by messages. A check that
/// fails stores its place among them, counted from one.
inline constexpr llvm::StringLiteral assertionsName = "stof.assertions";

} // namespace stof

#endif // STOF_IR_STATUSWORD_H

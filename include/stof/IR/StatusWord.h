//===----------------------------------------------------------------------===//
// The status word, in which compiled code reports a failed check: an argument
// of host functions on buffers. The function lists the messages by number.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_STATUSWORD_H
#define STOF_IR_STATUSWORD_H

#include "llvm/ADT/StringRef.h"

namespace stof {

/// The attribute of the argument.
inline constexpr llvm::StringLiteral statusName = "stof.status";

/// The attribute of the function: locations named by messages. A failed check
/// stores its position in this list, counted from one.
inline constexpr llvm::StringLiteral assertionsName = "stof.assertions";

} // namespace stof

#endif // STOF_IR_STATUSWORD_H

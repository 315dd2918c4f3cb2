//===----------------------------------------------------------------------===//
// The size of an element in memory.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_ELEMENTBYTES_H
#define STOF_SUPPORT_ELEMENTBYTES_H

#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

#include <climits>

namespace stof {

/// The bytes of `type`, or of an element of it: an integer, a float, or an
/// index, which kernels and the host store as 64 bits.
inline int64_t getElementBytes(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  assert(element.isIntOrIndexOrFloat() &&
         "expects an integer, an index or a float");
  if (element.isIndex())
    return sizeof(int64_t);
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), CHAR_BIT);
}

} // namespace stof

#endif // STOF_SUPPORT_ELEMENTBYTES_H

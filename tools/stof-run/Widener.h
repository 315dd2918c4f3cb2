//===----------------------------------------------------------------------===//
// Conversion of many elements of a dtype to f64.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_WIDENER_H
#define STOF_TOOLS_STOF_RUN_WIDENER_H

#include "stof/Runtime/DType.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace stof::runtime {

/// Converts as readElement does, but looks elements of at most two bytes up.
class Widener {
public:
  explicit Widener(DType dtype);

  /// Fills `elements` with those of the contiguous array `data` from `first`
  /// on.
  void widen(const void *data, int64_t first,
             llvm::MutableArrayRef<double> elements) const;

private:
  DType dtype;
  llvm::ArrayRef<float> table; ///< By the bits of an element.
};

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_WIDENER_H

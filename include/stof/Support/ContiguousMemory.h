//===----------------------------------------------------------------------===//
// Memory whose elements follow each other.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_CONTIGUOUSMEMORY_H
#define STOF_SUPPORT_CONTIGUOUSMEMORY_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace stof {

/// Where memory of `type` begins in its buffer, in elements, if its elements
/// follow each other in row-major order, and the type says so: 0 for whole
/// buffers, another number for leading rows of one.
std::optional<int64_t> getContiguousOffset(mlir::MemRefType type);

} // namespace stof

#endif // STOF_SUPPORT_CONTIGUOUSMEMORY_H

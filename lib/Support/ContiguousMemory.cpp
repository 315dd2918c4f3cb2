//===----------------------------------------------------------------------===//
// Memory whose elements follow each other.
//===----------------------------------------------------------------------===//

#include "stof/Support/ContiguousMemory.h"

using namespace mlir;

std::optional<int64_t> stof::getContiguousOffset(MemRefType type) {
  if (type.getLayout().isIdentity())
    return 0;
  if (!type.hasStaticShape() || !type.areTrailingDimsContiguous(type.getRank()))
    return std::nullopt;
  int64_t offset = type.getStridesAndOffset().second;
  return ShapedType::isDynamic(offset) ? std::nullopt : std::optional(offset);
}

//===----------------------------------------------------------------------===//
// Memory whose elements follow each other.
//===----------------------------------------------------------------------===//

#include "stof/Support/ContiguousMemory.h"

using namespace mlir;

std::optional<int64_t> stof::getContiguousOffset(MemRefType type) {
  if (type.getLayout().isIdentity())
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || !type.hasStaticShape())
    return std::nullopt;
  int64_t expected = 1;
  for (auto [size, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (size > 1 && stride != expected)
      return std::nullopt;
    expected *= size;
  }
  return offset;
}

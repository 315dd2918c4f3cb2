//===----------------------------------------------------------------------===//
// Elements and bytes of what may be of dynamic size.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/Counts.h"

#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace mlir;
using namespace stof;

/// What is taken for all sizes of a tensor or loop nest that are not known,
/// multiplied: so it does not matter into how many dimensions they are divided.
static constexpr int64_t middleSize = 4096;

double stof::countAll(ArrayRef<int64_t> sizes) {
  double count =
      llvm::is_contained(sizes, ShapedType::kDynamic) ? middleSize : 1;
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size))
      count *= size;
  return count;
}

double stof::countOf(const GroupPlan &plan, ArrayRef<unsigned> digits) {
  return countAll(llvm::map_to_vector(
      digits, [&](unsigned digit) { return plan.getExtent(digit).size; }));
}

double stof::countElements(linalg::LinalgOp product) {
  SmallVector<int64_t> sizes;
  for (auto [range, kind] : llvm::zip(product.getStaticLoopRanges(),
                                      product.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      sizes.push_back(range);
  return countAll(sizes);
}

double stof::countBytes(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return 0;
  Type element = type.getElementType();
  double bytes =
      element.isIntOrFloat()
          ? llvm::divideCeil(element.getIntOrFloatBitWidth(), CHAR_BIT)
          : sizeof(int64_t);
  return bytes * countAll(type.getShape());
}

//===----------------------------------------------------------------------===//
// Numbers of elements and bytes, with dynamic sizes estimated.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/Counts.h"

#include "stof/Support/ElementBytes.h"

using namespace mlir;
using namespace stof;

double stof::countAll(ArrayRef<int64_t> sizes) {
  double count =
      llvm::is_contained(sizes, ShapedType::kDynamic) ? middleSize : 1;
  for (int64_t size : sizes)
    if (!ShapedType::isDynamic(size))
      count *= size;
  return count;
}

double stof::countOf(const GroupPlan &plan, ArrayRef<unsigned> dimFactors) {
  return countAll(llvm::map_to_vector(dimFactors, [&](unsigned dimFactor) {
    return plan.getExtent(dimFactor).size;
  }));
}

bool stof::areStatic(const GroupPlan &plan, ArrayRef<unsigned> dimFactors) {
  return llvm::all_of(dimFactors, [&](unsigned dimFactor) {
    return plan.getExtent(dimFactor).isStatic();
  });
}

bool stof::areAllStatic(const GroupPlan &plan) {
  return llvm::all_of(plan.getOperations(), [](linalg::LinalgOp op) {
    return llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic);
  });
}

double stof::countElements(linalg::LinalgOp contraction) {
  SmallVector<int64_t> sizes;
  for (auto [range, kind] : llvm::zip(contraction.getStaticLoopRanges(),
                                      contraction.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel)
      sizes.push_back(range);
  return countAll(sizes);
}

double stof::countBytes(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return 0;
  Type element = type.getElementType();
  double bytes = element.isIntOrIndexOrFloat() ? getElementBytes(element)
                                               : sizeof(int64_t);
  return bytes * countAll(type.getShape());
}

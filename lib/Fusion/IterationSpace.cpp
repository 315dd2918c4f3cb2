//===----------------------------------------------------------------------===//
// Dim factors, and the unification of two sequences of them.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/IterationSpace.h"

using namespace mlir;
using namespace stof;

unsigned IterationSpace::add(const FactorExtent &extent) {
  dimFactors.push_back({extent, {}});
  return dimFactors.size() - 1;
}

void IterationSpace::learn(unsigned dimFactor, const FactorExtent &extent) {
  while (dimFactors[dimFactor].parts.size() == 1)
    dimFactor = dimFactors[dimFactor].parts.front();
  FactorExtent &known = dimFactors[dimFactor].extent;
  if (known.isStatic() || (known.isKnown() && !extent.isStatic()))
    return;
  known = extent;
}

DimFactors IterationSpace::flatten(ArrayRef<unsigned> sequence) const {
  DimFactors flat;
  SmallVector<unsigned> worklist(llvm::reverse(sequence));
  while (!worklist.empty()) {
    unsigned next = worklist.pop_back_val();
    const DimFactor &dimFactor = dimFactors[next];
    if (!dimFactor.parts.empty())
      llvm::append_range(worklist, llvm::reverse(dimFactor.parts));
    else if (dimFactor.extent.size != 1)
      flat.push_back(next);
  }
  return flat;
}

bool IterationSpace::merge(unsigned lhs, unsigned rhs) {
  if (lhs == rhs)
    return true;
  FactorExtent gone = dimFactors[lhs].extent;
  const FactorExtent &kept = dimFactors[rhs].extent;
  if (gone.isStatic() && kept.isStatic() && gone.size != kept.size)
    return false;
  assert(dimFactors[lhs].parts.empty() && dimFactors[rhs].parts.empty() &&
         "expects factors as they are now");
  dimFactors[lhs].parts = {rhs};
  learn(rhs, gone);
  return true;
}

bool IterationSpace::areEqual(unsigned lhs, unsigned rhs) const {
  const FactorExtent &one = getExtent(lhs), &other = getExtent(rhs);
  return lhs == rhs || (one.isStatic() && one.size == other.size);
}

bool IterationSpace::mergeEnds(DimFactors &lhs, DimFactors &rhs) {
  while (true) {
    // A factor that has just been merged may occur again.
    lhs = flatten(lhs);
    rhs = flatten(rhs);
    if (lhs.empty() || rhs.empty())
      return lhs.empty() && rhs.empty();
    bool areBothSingle = lhs.size() == 1 && rhs.size() == 1;
    if (areEqual(lhs.back(), rhs.back()) || areBothSingle) {
      if (!merge(lhs.pop_back_val(), rhs.pop_back_val()))
        return false;
    } else if (areEqual(lhs.front(), rhs.front())) {
      if (!merge(lhs.front(), rhs.front()))
        return false;
      lhs.erase(lhs.begin());
      rhs.erase(rhs.begin());
    } else {
      return true;
    }
  }
}

bool IterationSpace::split(unsigned whole, ArrayRef<unsigned> parts) {
  if (llvm::is_contained(parts, whole))
    return false;
  int64_t product = 1;
  for (unsigned part : parts)
    product = getExtent(part).isStatic() && product > 0
                  ? product * getExtent(part).size
                  : ShapedType::kDynamic;
  const FactorExtent &extent = getExtent(whole);
  if (extent.isStatic() && !ShapedType::isDynamic(product) &&
      extent.size != product)
    return false;
  dimFactors[whole].parts = DimFactors(parts);
  return true;
}

bool IterationSpace::splitLast(DimFactors &lhs, DimFactors &rhs) {
  int64_t small = getExtent(lhs.back()).size;
  int64_t great = getExtent(rhs.back()).size;
  if (ShapedType::isDynamic(small) || ShapedType::isDynamic(great))
    return false;
  if (small > great) {
    std::swap(lhs, rhs);
    std::swap(small, great);
  }
  if (small == 0 || great % small != 0)
    return false;
  unsigned whole = rhs.pop_back_val();
  unsigned more = add(FactorExtent::ofSize(great / small));
  dimFactors[whole].parts = {more, lhs.pop_back_val()};
  rhs.push_back(more);
  return true;
}

bool IterationSpace::unify(ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
  DimFactors left = flatten(lhs), right = flatten(rhs);
  while (mergeEnds(left, right)) {
    if (left.empty())
      return true;
    if (left.size() == 1)
      return split(left.front(), right);
    if (right.size() == 1)
      return split(right.front(), left);
    if (!splitLast(left, right))
      return false;
  }
  return false;
}

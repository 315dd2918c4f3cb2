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
  dimFactors[lhs].parts = {rhs};
  learn(rhs, gone);
  return true;
}

bool IterationSpace::unify(ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
  DimFactors left = flatten(lhs), right = flatten(rhs);
  auto agree = [&](unsigned a, unsigned b) {
    const FactorExtent &one = getExtent(a), &other = getExtent(b);
    return a == b || (one.isStatic() && one.size == other.size);
  };
  while (!left.empty() && !right.empty()) {
    // Equal dim factors at either end are merged.
    if (agree(left.back(), right.back()) ||
        (left.size() == 1 && right.size() == 1)) {
      if (!merge(left.pop_back_val(), right.pop_back_val()))
        return false;
      continue;
    }
    if (agree(left.front(), right.front())) {
      if (!merge(left.front(), right.front()))
        return false;
      left.erase(left.begin());
      right.erase(right.begin());
      continue;
    }
    // A single dim factor is split into the rest of the other sequence.
    if (left.size() > 1 && right.size() == 1)
      std::swap(left, right);
    if (left.size() == 1) {
      if (llvm::is_contained(right, left.front()))
        return false;
      int64_t product = 1;
      for (unsigned dimFactor : right)
        product = getExtent(dimFactor).isStatic() && product > 0
                      ? product * getExtent(dimFactor).size
                      : ShapedType::kDynamic;
      const FactorExtent &whole = getExtent(left.front());
      if (whole.isStatic() && !ShapedType::isDynamic(product) &&
          whole.size != product)
        return false;
      dimFactors[left.front()].parts = right;
      return true;
    }
    // The larger one of the last two dim factors is split by the smaller one.
    int64_t small = getExtent(left.back()).size;
    int64_t great = getExtent(right.back()).size;
    if (ShapedType::isDynamic(small) || ShapedType::isDynamic(great))
      return false;
    if (small > great) {
      std::swap(left, right);
      std::swap(small, great);
    }
    if (small == 0 || great % small != 0)
      return false;
    FactorExtent rest;
    rest.size = great / small;
    unsigned split = right.pop_back_val(), more = add(rest);
    dimFactors[split].parts = {more, left.pop_back_val()};
    right.push_back(more);
  }
  return left.empty() && right.empty();
}

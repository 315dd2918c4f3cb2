//===----------------------------------------------------------------------===//
// Digits, and what makes two sequences of them the same.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupDigits.h"

using namespace mlir;
using namespace stof;

unsigned DigitTable::add(const DigitExtent &extent) {
  digits.push_back({extent, {}});
  return digits.size() - 1;
}

void DigitTable::learn(unsigned digit, const DigitExtent &extent) {
  while (digits[digit].parts.size() == 1)
    digit = digits[digit].parts.front();
  DigitExtent &known = digits[digit].extent;
  if (known.isStatic() || (known.isKnown() && !extent.isStatic()))
    return;
  known = extent;
}

Digits DigitTable::flatten(ArrayRef<unsigned> sequence) const {
  Digits flat;
  SmallVector<unsigned> worklist(llvm::reverse(sequence));
  while (!worklist.empty()) {
    unsigned next = worklist.pop_back_val();
    const Digit &digit = digits[next];
    if (!digit.parts.empty())
      llvm::append_range(worklist, llvm::reverse(digit.parts));
    else if (digit.extent.size != 1)
      flat.push_back(next);
  }
  return flat;
}

bool DigitTable::merge(unsigned lhs, unsigned rhs) {
  if (lhs == rhs)
    return true;
  DigitExtent gone = digits[lhs].extent;
  const DigitExtent &kept = digits[rhs].extent;
  if (gone.isStatic() && kept.isStatic() && gone.size != kept.size)
    return false;
  digits[lhs].parts = {rhs};
  learn(rhs, gone);
  return true;
}

bool DigitTable::unify(ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
  Digits left = flatten(lhs), right = flatten(rhs);
  auto agree = [&](unsigned a, unsigned b) {
    const DigitExtent &one = getExtent(a), &other = getExtent(b);
    return a == b || (one.isStatic() && one.size == other.size);
  };
  while (!left.empty() && !right.empty()) {
    // Equal digits at either end are the same.
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
    // One digit stands for all that is left of the other sequence.
    if (left.size() > 1 && right.size() == 1)
      std::swap(left, right);
    if (left.size() == 1) {
      if (llvm::is_contained(right, left.front()))
        return false;
      int64_t product = 1;
      for (unsigned digit : right)
        product = getExtent(digit).isStatic() && product > 0
                      ? product * getExtent(digit).size
                      : ShapedType::kDynamic;
      const DigitExtent &whole = getExtent(left.front());
      if (whole.isStatic() && !ShapedType::isDynamic(product) &&
          whole.size != product)
        return false;
      digits[left.front()].parts = right;
      return true;
    }
    // The greater of two last digits ends in the other one.
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
    DigitExtent rest;
    rest.size = great / small;
    unsigned split = right.pop_back_val(), more = add(rest);
    digits[split].parts = {more, left.pop_back_val()};
    right.push_back(more);
  }
  return left.empty() && right.empty();
}

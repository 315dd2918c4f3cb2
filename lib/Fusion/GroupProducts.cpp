//===----------------------------------------------------------------------===//
// Which matrix products one kernel makes at the same time, and what it may
// compute of the elements of a row.
//
// Products of the same loops walk over what they sum over together, as those
// of a gated layer do:
//
//     silu(x * gate) * (x * up)
//
// A tile of `x` is loaded once, and each product has sums of its own, which the
// operations after them combine.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"

#include "llvm/ADT/SetOperations.h"

using namespace mlir;
using namespace stof;

Digits GroupPlan::getDigits(linalg::LinalgOp op,
                            ArrayRef<unsigned> which) const {
  Digits digits;
  for (unsigned loop : which)
    digits.push_back(loops.at(op)[loop]);
  return table.flatten(digits);
}

bool GroupPlan::checkProducts() {
  if (!checkPrologues())
    return false;
  auto areSame = [](ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
    llvm::SmallDenseSet<unsigned, 8> set(lhs.begin(), lhs.end());
    return lhs.size() == rhs.size() && llvm::all_of(rhs, [&](unsigned digit) {
             return set.contains(digit);
           });
  };
  for (linalg::LinalgOp op : ArrayRef(products).drop_front(!products.empty())) {
    // Sums of different operands are as long as each other if that is known.
    Digits own = getDigits(op, getContractionLoops(op)->inner);
    Digits others = getDigits(products.front(),
                              getContractionLoops(products.front())->inner);
    auto isStatic = [&](unsigned digit) { return getExtent(digit).isStatic(); };
    DigitTable attempt = table;
    if (llvm::all_of(own, isStatic) && llvm::all_of(others, isStatic) &&
        attempt.unify(own, others) &&
        llvm::all_of(operations, [&](linalg::LinalgOp other) {
          return isInjective(other, attempt);
        }))
      table = attempt;
  }
  for (linalg::LinalgOp op : products) {
    linalg::LinalgOp first = products.front();
    ContractionLoops own = *getContractionLoops(op);
    ContractionLoops others = *getContractionLoops(first);
    for (auto part : {&ContractionLoops::batch, &ContractionLoops::rows,
                      &ContractionLoops::columns, &ContractionLoops::inner})
      if (!areSame(getDigits(op, own.*part), getDigits(first, others.*part)))
        return refuse(op, "it is a product of other loops than the one before");
    auto typeOf = [](linalg::LinalgOp op) {
      return getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
    };
    if (typeOf(op) != typeOf(first))
      return refuse(op, "it multiplies other elements than the product before");
  }
  return true;
}

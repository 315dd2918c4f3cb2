//===----------------------------------------------------------------------===//
// Contractions that share a mainloop, and the limits of their epilogues.
//
// Contractions of the same loops iterate over K together, as in a gated layer:
//
//     silu(x * gate) * (x * up)
//
// A tile of `x` is loaded once; each contraction has its own accumulators,
// which the epilogue combines.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"

#include "llvm/ADT/SetOperations.h"

using namespace mlir;
using namespace stof;

DimFactors GroupPlan::getDimFactors(linalg::LinalgOp op,
                                    ArrayRef<unsigned> which) const {
  DimFactors dimFactors;
  for (unsigned loop : which)
    dimFactors.push_back(loops.at(op)[loop]);
  return table.flatten(dimFactors);
}

bool GroupPlan::checkContractions() {
  if (!checkPrologues())
    return false;
  auto areSame = [](ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
    llvm::SmallDenseSet<unsigned, 8> set(lhs.begin(), lhs.end());
    return lhs.size() == rhs.size() &&
           llvm::all_of(rhs, [&](unsigned dimFactor) {
             return set.contains(dimFactor);
           });
  };
  for (linalg::LinalgOp op :
       ArrayRef(contractions).drop_front(!contractions.empty())) {
    // Loops over K of different operands are the same if their static sizes
    // match.
    DimFactors own = getDimFactors(op, getContractionLoops(op)->inner);
    DimFactors others = getDimFactors(
        contractions.front(), getContractionLoops(contractions.front())->inner);
    auto isStatic = [&](unsigned dimFactor) {
      return getExtent(dimFactor).isStatic();
    };
    IterationSpace attempt = table;
    if (llvm::all_of(own, isStatic) && llvm::all_of(others, isStatic) &&
        attempt.unify(own, others) &&
        llvm::all_of(operations, [&](linalg::LinalgOp other) {
          return isInjective(other, attempt);
        }))
      table = attempt;
  }
  for (linalg::LinalgOp op : contractions) {
    linalg::LinalgOp first = contractions.front();
    ContractionLoops own = *getContractionLoops(op);
    ContractionLoops others = *getContractionLoops(first);
    for (auto part : {&ContractionLoops::batch, &ContractionLoops::rows,
                      &ContractionLoops::columns, &ContractionLoops::inner})
      if (!areSame(getDimFactors(op, own.*part),
                   getDimFactors(first, others.*part)))
        return refuse(op, "its batch, M, N or K dims differ from those of the "
                          "first contraction");
    auto typeOf = [](linalg::LinalgOp op) {
      return getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
    };
    if (typeOf(op) != typeOf(first))
      return refuse(
          op, "its operand type differs from that of the first contraction");
  }
  return true;
}

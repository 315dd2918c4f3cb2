//===----------------------------------------------------------------------===//
// Comparison of the loops of contractions.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/ShareMainloop.h"

using namespace mlir;
using namespace stof;

static bool areSame(ArrayRef<unsigned> lhs, ArrayRef<unsigned> rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(rhs, [&](unsigned dimFactor) {
           return llvm::is_contained(lhs, dimFactor);
         });
}

static Type getOperandType(linalg::LinalgOp contraction) {
  return getElementTypeOrSelf(contraction.getDpsInputOperand(0)->get());
}

PlanResult<GroupLoops> stof::shareMainloop(const GroupMembers &members,
                                           GroupLoops loops,
                                           const OperationRoles &roles) {
  if (roles.contractions.empty())
    return loops;
  linalg::LinalgOp first = roles.contractions.front();
  ContractionLoops shared = *getContractionLoops(first);
  // Loops over K of different operands are the same if their static sizes
  // match.
  for (linalg::LinalgOp op : ArrayRef(roles.contractions).drop_front()) {
    DimFactors own =
        loops.getDimFactors(op, getContractionLoops(op)->reduction);
    DimFactors others = loops.getDimFactors(first, shared.reduction);
    if (loops.areStatic(own) && loops.areStatic(others))
      loops.tryUnify({{own, others}}, members.operations);
  }
  for (linalg::LinalgOp op : ArrayRef(roles.contractions).drop_front()) {
    ContractionLoops own = *getContractionLoops(op);
    for (auto dims : {&ContractionLoops::batch, &ContractionLoops::rows,
                      &ContractionLoops::columns, &ContractionLoops::reduction})
      if (!areSame(loops.getDimFactors(op, own.*dims),
                   loops.getDimFactors(first, shared.*dims)))
        return Refusal(op, "its batch, M, N or K dims differ from those of the "
                           "first contraction");
    if (getOperandType(op) != getOperandType(first))
      return Refusal(
          op, "its operand type differs from that of the first contraction");
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Producers that are fused into the operands of a contraction.
//
// A producer has the loops of its operand, or some of them:
//
//     y[s, n] = sum over k of (x[s, k] * scale[k]) * w[k, n]
//
// A CTA computes it for the operand tiles of its mainloop; it is recomputed for
// each CTA tile that reads the same elements. Producers may include
// contractions with tiles of the operand as their CTA tiles (back-to-back
// GEMM):
//
//     y[s, n] = sum over h of gelu(sum over k of x[s, k] * u[k, h]) * w[h, n]
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stof;

ArrayRef<linalg::LinalgOp>
GroupPlan::getPrologue(const OpOperand &operand) const {
  if (!isInner(operand.get()))
    return {};
  auto found = prologues.find(getOrigin(operand.get()));
  return found == prologues.end() ? ArrayRef<linalg::LinalgOp>()
                                  : ArrayRef(found->second);
}

/// Moves contractions that operands of others are computed from to
/// `backToBack`.
void GroupPlan::findBackToBack() {
  llvm::SetVector<Operation *> before;
  auto addOrigin = [&](Value value) {
    if (isInner(value))
      before.insert(getOrigin(value).getOwner());
  };
  for (linalg::LinalgOp contraction : contractions)
    for (Value input : contraction.getDpsInputs())
      addOrigin(input);
  for (size_t next = 0; next < before.size(); ++next)
    for (Value operand : before[next]->getOperands())
      addOrigin(operand);
  auto isBefore = [&](linalg::LinalgOp op) { return before.contains(op); };
  llvm::copy_if(contractions, std::back_inserter(backToBack), isBefore);
  llvm::erase_if(contractions, isBefore);
}

bool GroupPlan::addPrologue(linalg::LinalgOp contraction, OpOperand &operand) {
  llvm::SmallPtrSet<Operation *, 4> needed;
  OpResult origin = getOrigin(operand.get());
  needed.insert(origin.getOwner());
  SmallVector<linalg::LinalgOp> &prologue = prologues[origin];
  for (linalg::LinalgOp op : llvm::reverse(operations)) {
    if (!needed.contains(op))
      continue;
    bool isContraction = isBackToBack(op);
    if (isContraction && isBackToBack(contraction))
      return refuse(contraction, "its operand depends on " +
                                     describeOperation(op) +
                                     ", and its result feeds another "
                                     "contraction");
    if (!isContraction &&
        (getRole(op) == Role::Reduction || op.getNumReductionLoops()))
      return refuse(op, "its reduction would be repeated for each tile of " +
                            describeOperation(contraction));
    // Its loops are among those of its reader.
    beforeContractions.insert(op);
    if (!llvm::is_contained(prologue, op))
      prologue.insert(prologue.begin(), op);
    for (Value value : isContraction ? ValueRange(op.getDpsInits())
                                     : ValueRange(op->getOperands()))
      if (isInner(value))
        needed.insert(getOrigin(value).getOwner());
  }
  return true;
}

bool GroupPlan::checkPrologues() {
  findBackToBack();
  auto all = llvm::to_vector(contractions);
  llvm::append_range(all, backToBack);
  for (linalg::LinalgOp contraction : all)
    for (OpOperand *operand : contraction.getDpsInputOperands())
      if (isInner(operand->get()) && !addPrologue(contraction, *operand))
        return false;
  for (const ElementRead &read : reads)
    if (isInPrologue(read.reader) ||
        isInPrologue(getOrigin(read.getTensor()).getOwner()))
      return refuse(
          read.reader,
          "it reads the result of " +
              describeOperation(getOrigin(read.getTensor()).getOwner()) +
              " at computed indices");
  // Results of producers exist only within the mainloop.
  for (linalg::LinalgOp op : operations)
    for (OpOperand &operand : op->getOpOperands())
      if (isInner(operand.get()) && !isInPrologue(op) &&
          isInPrologue(getOrigin(operand.get()).getOwner()) &&
          (getRole(op) != Role::Contraction || op.isDpsInit(&operand)))
        return refuse(op, "it reads the result of a producer, which exists "
                          "only in the mainloop");
  for (OpResult result : results)
    if (isInPrologue(result.getOwner()))
      return refuse(
          result.getOwner(),
          "it is a producer, but its result is used outside of the group");
  return true;
}

std::optional<unsigned>
GroupPlan::findLeftOperand(linalg::LinalgOp contraction,
                           ArrayRef<unsigned> rows,
                           ArrayRef<unsigned> columns) const {
  ContractionLoops own = *getContractionLoops(contraction);
  auto isAmong = [&](ArrayRef<unsigned> axis, ArrayRef<unsigned> which) {
    DimFactors all = getDimFactors(contraction, which);
    return llvm::all_of(axis, [&](unsigned dimFactor) {
      return llvm::is_contained(all, dimFactor);
    });
  };
  if (isAmong(rows, own.rows) && isAmong(columns, own.columns))
    return 0;
  if (isAmong(rows, own.columns) && isAmong(columns, own.rows))
    return 1;
  return std::nullopt;
}

bool GroupPlan::checkBackToBack() {
  for (linalg::LinalgOp contraction : contractions)
    for (OpOperand *operand : contraction.getDpsInputOperands())
      for (linalg::LinalgOp op : getPrologue(*operand))
        if (isBackToBack(op) &&
            !findLeftOperand(op,
                             operand->getOperandNumber() == 0 ? rows : columns,
                             getSummed(contraction).steps))
          return refuse(
              contraction,
              "tiles of its operand do not map to rows and columns of " +
                  describeOperation(op));
  return true;
}

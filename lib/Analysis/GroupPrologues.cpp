//===----------------------------------------------------------------------===//
// What is computed of the operands of a product before it multiplies them.
//
// A prologue has the loops of its operand, or some of them:
//
//     y[s, n] = sum over k of (x[s, k] * scale[k]) * w[k, n]
//
// A block computes it for the tiles that it multiplies, again for each tile of
// the product that takes the same elements.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/GroupPlan.h"

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

bool GroupPlan::addPrologue(linalg::LinalgOp product, OpOperand &operand) {
  llvm::SmallPtrSet<Operation *, 4> needed;
  OpResult origin = getOrigin(operand.get());
  needed.insert(origin.getOwner());
  SmallVector<linalg::LinalgOp> &prologue = prologues[origin];
  for (linalg::LinalgOp op : llvm::reverse(operations)) {
    if (!needed.contains(op))
      continue;
    if (getRole(op) == Role::Product)
      return refuse(product, "it multiplies what " + describeOperation(op) +
                                 " computes");
    if (getRole(op) == Role::Reduction || op.getNumReductionLoops())
      return refuse(op, "its reduction would be repeated for the tiles of " +
                            describeOperation(product));
    // Its loops are among those of who reads what it computes.
    beforeProducts.insert(op);
    if (!llvm::is_contained(prologue, op))
      prologue.insert(prologue.begin(), op);
    for (Value value : op->getOperands())
      if (isInner(value))
        needed.insert(getOrigin(value).getOwner());
  }
  return true;
}

bool GroupPlan::checkPrologues() {
  for (linalg::LinalgOp product : products)
    for (OpOperand *operand : product.getDpsInputOperands())
      if (isInner(operand->get()) && !addPrologue(product, *operand))
        return false;
  for (const ElementRead &read : reads)
    if (isInPrologue(read.reader) ||
        isInPrologue(getOrigin(read.getTensor()).getOwner()))
      return refuse(
          read.reader,
          "it reads what " +
              describeOperation(getOrigin(read.getTensor()).getOwner()) +
              " computes at places that it computes");
  // A block has the elements only while it multiplies them.
  for (linalg::LinalgOp op : operations)
    for (OpOperand &operand : op->getOpOperands())
      if (isInner(operand.get()) && !isInPrologue(op) &&
          isInPrologue(getOrigin(operand.get()).getOwner()) &&
          (getRole(op) != Role::Product || op.isDpsInit(&operand)))
        return refuse(op, "it needs what is computed for a product");
  for (OpResult result : results)
    if (isInPrologue(result.getOwner()))
      return refuse(result.getOwner(),
                    "not only a product needs what it computes");
  return true;
}

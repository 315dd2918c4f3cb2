//===----------------------------------------------------------------------===//
// What is computed of the operands of a product before it multiplies them.
//
// A prologue has the loops of its operand, or some of them:
//
//     y[s, n] = sum over k of (x[s, k] * scale[k]) * w[k, n]
//
// A block computes it for the tiles that it multiplies, again for each tile of
// the product that takes the same elements. There may be products in it, whose
// tiles those are (chained products):
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

/// Moves products to the chained ones if others multiply what is computed of
/// them.
void GroupPlan::findChained() {
  llvm::SetVector<Operation *> before;
  auto addOrigin = [&](Value value) {
    if (isInner(value))
      before.insert(getOrigin(value).getOwner());
  };
  for (linalg::LinalgOp product : products)
    for (Value input : product.getDpsInputs())
      addOrigin(input);
  for (size_t next = 0; next < before.size(); ++next)
    for (Value operand : before[next]->getOperands())
      addOrigin(operand);
  auto isBefore = [&](linalg::LinalgOp op) { return before.contains(op); };
  llvm::copy_if(products, std::back_inserter(chained), isBefore);
  llvm::erase_if(products, isBefore);
}

bool GroupPlan::addPrologue(linalg::LinalgOp product, OpOperand &operand) {
  llvm::SmallPtrSet<Operation *, 4> needed;
  OpResult origin = getOrigin(operand.get());
  needed.insert(origin.getOwner());
  SmallVector<linalg::LinalgOp> &prologue = prologues[origin];
  for (linalg::LinalgOp op : llvm::reverse(operations)) {
    if (!needed.contains(op))
      continue;
    bool isProduct = isChained(op);
    if (isProduct && isChained(product))
      return refuse(product, "it multiplies what " + describeOperation(op) +
                                 " computes, and what it computes is "
                                 "multiplied in turn");
    if (!isProduct &&
        (getRole(op) == Role::Reduction || op.getNumReductionLoops()))
      return refuse(op, "its reduction would be repeated for the tiles of " +
                            describeOperation(product));
    // Its loops are among those of who reads what it computes.
    beforeProducts.insert(op);
    if (!llvm::is_contained(prologue, op))
      prologue.insert(prologue.begin(), op);
    for (Value value : isProduct ? ValueRange(op.getDpsInits())
                                 : ValueRange(op->getOperands()))
      if (isInner(value))
        needed.insert(getOrigin(value).getOwner());
  }
  return true;
}

bool GroupPlan::checkPrologues() {
  findChained();
  auto all = llvm::to_vector(products);
  llvm::append_range(all, chained);
  for (linalg::LinalgOp product : all)
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

std::optional<unsigned>
GroupPlan::findLeftOperand(linalg::LinalgOp product, ArrayRef<unsigned> rows,
                           ArrayRef<unsigned> columns) const {
  ContractionLoops own = *getContractionLoops(product);
  auto isAmong = [&](ArrayRef<unsigned> axis, ArrayRef<unsigned> which) {
    Digits all = getDigits(product, which);
    return llvm::all_of(
        axis, [&](unsigned digit) { return llvm::is_contained(all, digit); });
  };
  if (isAmong(rows, own.rows) && isAmong(columns, own.columns))
    return 0;
  if (isAmong(rows, own.columns) && isAmong(columns, own.rows))
    return 1;
  return std::nullopt;
}

bool GroupPlan::checkChained() {
  for (linalg::LinalgOp product : products)
    for (OpOperand *operand : product.getDpsInputOperands())
      for (linalg::LinalgOp op : getPrologue(*operand))
        if (isChained(op) &&
            !findLeftOperand(op,
                             operand->getOperandNumber() == 0 ? rows : columns,
                             getSummed(product).steps))
          return refuse(product, "its tiles of what " + describeOperation(op) +
                                     " computes are no tiles of a product");
  return true;
}

//===----------------------------------------------------------------------===//
// Operations and results of a group.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupMembers.h"
#include "stof/IR/Stof.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace stof;

/// The first element type of `op` that no kernel supports; null if none.
static Type findUnknownElement(Operation *op) {
  constexpr unsigned mostBits = 64;
  Type unknown;
  auto visit = [&](TypeRange types) {
    for (Type type : types) {
      Type element = getElementTypeOrSelf(type);
      bool isKnown =
          element.isIndex() || (element.isIntOrFloat() &&
                                element.getIntOrFloatBitWidth() <= mostBits);
      if (!isKnown && !unknown)
        unknown = element;
    }
  };
  op->walk([&](Operation *inner) {
    visit(inner->getOperandTypes());
    visit(inner->getResultTypes());
  });
  return unknown;
}

/// Whether `result` has uses outside of `members`, directly or through
/// reshapes among these.
static bool isUsedOutside(OpResult result,
                          const llvm::SmallPtrSetImpl<Operation *> &members) {
  Block *block = result.getOwner()->getBlock();
  SmallVector<Value> shown{result};
  while (!shown.empty())
    for (Operation *user : shown.pop_back_val().getUsers()) {
      user = block->findAncestorOpInBlock(*user);
      if (!user || !members.contains(user))
        return true;
      if (isReshape(user))
        shown.push_back(user->getResult(0));
    }
  return false;
}

PlanResult<GroupMembers> stof::collectMembers(ArrayRef<Operation *> ops) {
  GroupMembers members;
  for (Operation *op : ops)
    if (isReshape(op) || isGroupable(op))
      members.all.push_back(op);
  for (Operation *op : members.all) {
    if (isReshape(op))
      continue;
    if (isa<AttentionOp>(op)) {
      members.isAttention = true;
      if (llvm::count_if(members.all, isGroupable) > 1)
        return Refusal(op, "attention has a kernel of its own");
      return members;
    }
    if (Type unknown = findUnknownElement(op))
      return Refusal(op, "unsupported element type " + debugString(unknown));
    members.operations.push_back(cast<linalg::LinalgOp>(op));
  }
  if (members.operations.empty())
    return Refusal(ops.empty() ? nullptr : ops.front(),
                   "it contains no computation");
  llvm::SmallPtrSet<Operation *, 16> set(ops.begin(), ops.end());
  for (linalg::LinalgOp op : members.operations)
    for (OpResult result : op->getResults())
      if (isUsedOutside(result, set))
        members.results.push_back(result);
  if (members.results.empty())
    return Refusal(members.operations.back(), "its results are unused");
  return members;
}

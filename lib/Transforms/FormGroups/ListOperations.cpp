//===----------------------------------------------------------------------===//
// The order of operations. Only neighbours come to share a kernel, so what is
// computed for one operation alone should come right before it.
//===----------------------------------------------------------------------===//

#include "FormGroups.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

namespace {
class Lister {
public:
  explicit Lister(Block &block) : block(block) {
    for (Operation &op : block)
      findNeeds(op);
  }

  /// Adds `root` after what it needs and is not listed yet.
  void list(Operation *root, Run &order);

private:
  void findNeeds(Operation &op);
  /// What `op` needs of the block, in the order in which it is to be listed.
  SmallVector<Operation *> getSources(Operation *op) const;
  bool isShared(Value value) const;
  static SmallVector<Value> getUsed(Operation *op) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    return used.takeVector();
  }

  Block &block;
  llvm::DenseMap<Operation *, unsigned> numbers;
  /// For each operation those, by number, that it needs at any remove.
  SmallVector<llvm::BitVector> needs;
  llvm::SmallPtrSet<Operation *, 32> seen;
};
} // namespace

void Lister::findNeeds(Operation &op) {
  llvm::BitVector all(needs.size());
  for (Value value : getUsed(&op))
    if (auto source = numbers.find(value.getDefiningOp());
        source != numbers.end()) {
      all |= needs[source->second];
      all.set(source->second);
    }
  numbers[&op] = needs.size();
  needs.push_back(std::move(all));
}

/// Whether other operations than one need `value`, or what it shows in another
/// shape.
bool Lister::isShared(Value value) const {
  while (true) {
    llvm::SmallPtrSet<Operation *, 4> users;
    for (Operation *user : value.getUsers())
      users.insert(block.findAncestorOpInBlock(*user));
    if (users.size() > 1)
      return true;
    Operation *source = value.getDefiningOp();
    if (!source || !isReshape(source))
      return false;
    value = source->getOperand(0);
  }
}

SmallVector<Operation *> Lister::getSources(Operation *op) const {
  SmallVector<Operation *> shared, own, others;
  SmallVector<Value> used = getUsed(op);
  auto isIn = [&](Value value) {
    Operation *source = value.getDefiningOp();
    return source && source->getBlock() == &block;
  };
  for (Value value : used) {
    if (!isIn(value))
      continue;
    unsigned number = numbers.lookup(value.getDefiningOp());
    // Who else needs it may have more to do with it.
    bool isNeeded = llvm::any_of(used, [&](Value other) {
      if (!isIn(other))
        return false;
      const llvm::BitVector &needed =
          needs[numbers.lookup(other.getDefiningOp())];
      return number < needed.size() && needed.test(number);
    });
    SmallVector<Operation *> &sources = isNeeded          ? others
                                        : isShared(value) ? shared
                                                          : own;
    sources.push_back(value.getDefiningOp());
  }
  shared.append(own);
  shared.append(others);
  return shared;
}

void Lister::list(Operation *root, Run &order) {
  // Depth first.
  SmallVector<std::pair<Operation *, bool>> worklist{{root, false}};
  while (!worklist.empty()) {
    auto [op, areSourcesListed] = worklist.pop_back_val();
    if (areSourcesListed) {
      if (isGroupable(op))
        order.push_back(op);
      continue;
    }
    if (!seen.insert(op).second)
      continue;
    worklist.push_back({op, true});
    SmallVector<Operation *> sources = getSources(op);
    for (Operation *source : llvm::reverse(sources))
      worklist.push_back({source, false});
  }
}

Run stof::listOperations(Block &block) {
  Run order;
  Lister lister(block);
  lister.list(block.getTerminator(), order);
  for (Operation &op : block)
    lister.list(&op, order);
  return order;
}

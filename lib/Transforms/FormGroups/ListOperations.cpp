//===----------------------------------------------------------------------===//
// The order of operations, of which groups are runs.
//
//   1. Depth first from the end, operands in order: an operation comes directly
//      after what only it needs.
//   2. Products and attentions begin stages. An operation belongs to the last
//      one that it can: Q, K and V are projected in the stage before that of
//      their attention, by operations that lie together.
//   3. In a stage, what needs no product of the stage comes first, such as the
//      angles of a rotation: else it would lie between a product and what is
//      computed of it.
//   4. In a stage of several products, what shares no kernel with the product
//      that it is computed of comes after all of them, not between them.
//===----------------------------------------------------------------------===//

#include "FormGroups.h"

#include "mlir/Transforms/RegionUtils.h"

#include <map>

using namespace mlir;
using namespace stof;

/// Each operation after what it needs, with what only it needs directly before.
static Run listDepthFirst(Block &block) {
  Run order;
  llvm::SmallPtrSet<Operation *, 32> seen;
  auto visit = [&](Operation *root) {
    SmallVector<std::pair<Operation *, bool>> worklist{{root, false}};
    while (!worklist.empty()) {
      auto [op, areOperandsListed] = worklist.pop_back_val();
      if (areOperandsListed) {
        if (isGroupable(op))
          order.push_back(op);
        continue;
      }
      if (!seen.insert(op).second)
        continue;
      worklist.push_back({op, true});
      llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), used);
      for (Value value : llvm::reverse(used))
        if (Operation *source = value.getDefiningOp();
            source && source->getBlock() == &block)
          worklist.push_back({source, false});
    }
  };
  visit(block.getTerminator());
  for (Operation &op : block)
    visit(&op);
  return order;
}

/// The operations that read what `op` computes, as it is or after others that
/// have no kernel.
static llvm::SetVector<Operation *> findReaders(Operation *op) {
  llvm::SetVector<Operation *> readers;
  SmallVector<Operation *> worklist{op};
  llvm::SmallDenseSet<Operation *> seen;
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      user = op->getBlock()->findAncestorOpInBlock(*user);
      if (!user)
        continue;
      if (isGroupable(user))
        readers.insert(user);
      else if (seen.insert(user).second)
        worklist.push_back(user);
    }
  return readers;
}

/// Whether `op` ends the stage of what it reads.
static bool beginsStage(Operation *op) {
  return classifyOperation(op) == OperationClass::ComputeIntensive;
}

/// For each operation of `order`, how many products and attentions come after
/// it on the longest way.
static llvm::DenseMap<Operation *, unsigned> countStages(const Run &order) {
  llvm::DenseMap<Operation *, unsigned> stages;
  for (Operation *op : llvm::reverse(order)) {
    unsigned &stage = stages[op];
    for (Operation *reader : findReaders(op))
      stage = std::max(stage, stages.lookup(reader) + (beginsStage(reader) ||
                                                       isa<AttentionOp>(op)));
  }
  return stages;
}

namespace {
/// Where an operation lies in its stage: before the products, or with one, or
/// after as many kernels.
struct Place {
  unsigned round = 0;
  /// What it shares the kernel of its round with, by the way that data takes.
  llvm::SetVector<Operation *> chain;
};
} // namespace

Run stof::listOperations(Block &block) {
  Run order = listDepthFirst(block);
  llvm::DenseMap<Operation *, unsigned> stages = countStages(order);
  llvm::DenseMap<unsigned, unsigned> products;
  for (Operation *op : order)
    products[stages.lookup(op)] += beginsStage(op);
  llvm::DenseMap<Operation *, Place> places;
  std::map<std::pair<unsigned, unsigned>, Run> sorted;
  for (Operation *op : order) {
    unsigned stage = stages.lookup(op);
    Place place = std::move(places[op]);
    place.chain.insert(op);
    if (beginsStage(op)) {
      place.round = 1;
    } else if (place.round > 0 && products.lookup(stage) > 1 &&
               !planRun(place.chain.getArrayRef()).isLegal()) {
      ++place.round;
      place.chain = {};
      place.chain.insert(op);
    }
    for (Operation *reader : findReaders(op)) {
      Place &next = places[reader];
      if (stages.lookup(reader) != stage || place.round < next.round)
        continue;
      if (place.round > next.round)
        next = Place{place.round, {}};
      next.chain.insert_range(place.chain);
    }
    // The last stage comes first.
    sorted[{order.size() - stage, place.round}].push_back(op);
  }
  order.clear();
  for (const auto &[place, run] : sorted)
    llvm::append_range(order, run);
  return order;
}

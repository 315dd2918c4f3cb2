//===----------------------------------------------------------------------===//
// The order of operations, in which groups are contiguous sequences.
//
//   1. Depth first from the end, operands in order: single-use producers
//      directly precede their consumer.
//   2. Contractions and attentions begin stages; an operation belongs to the
//      last possible stage. Q, K and V are projected in the stage before that
//      of their attention, by adjacent operations.
//   3. Within a stage, operations that depend on none of its contractions come
//      first, such as the angles of a rotation: they would separate a
//      contraction from its epilogue.
//   4. In a stage of several contractions, operations that cannot share a
//      kernel with the contraction that they depend on come after all of them.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/LinalgUtils.h"
#include "stof/Transforms/FormGroups/Steps.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/RegionUtils.h"

#include <map>

using namespace mlir;
using namespace stof;

/// Topological order that places single-use producers directly before their
/// consumer.
static OpSequence listDepthFirst(Block &block) {
  OpSequence order;
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

/// The groupable operations that read the results of `op`, directly or through
/// others.
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

/// Whether `op` begins a stage.
static bool beginsStage(Operation *op) {
  return classifyOperation(op) == OperationClass::ComputeIntensive;
}

/// For each operation of `order`, the number of contractions and attentions on
/// the longest path from it.
static llvm::DenseMap<Operation *, unsigned>
countStages(const OpSequence &order) {
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
/// Rank of an operation within its stage: 0 before the contractions, 1 with one
/// of them, above that the number of kernels after them.
struct Rank {
  unsigned round = 0;
  /// The operations in the kernel of its round, in order of data flow.
  llvm::SetVector<Operation *> chain;
};
} // namespace

void stof::prepareOperations(RewriterBase &rewriter, Block &block) {
  SmallVector<linalg::LinalgOp> all(block.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : llvm::reverse(all)) {
    if (!op.hasPureTensorSemantics())
      continue;
    rewriter.setInsertionPoint(op);
    if (op->use_empty())
      rewriter.eraseOp(op);
    else if (isGroupable(op) && !isa<linalg::GenericOp>(op) &&
             !isPlainContraction(op))
      // Only a generic operation or one without a region has no general form,
      // and the verifier of the interface demands a region.
      (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

OpSequence stof::listOperations(Block &block, PlanCache &plans) {
  OpSequence order = listDepthFirst(block);
  llvm::DenseMap<Operation *, unsigned> stages = countStages(order);
  llvm::DenseMap<unsigned, unsigned> contractions;
  for (Operation *op : order)
    contractions[stages.lookup(op)] += beginsStage(op);
  llvm::DenseMap<Operation *, Rank> ranks;
  std::map<std::pair<unsigned, unsigned>, OpSequence> sorted;
  for (Operation *op : order) {
    unsigned stage = stages.lookup(op);
    Rank rank = std::move(ranks[op]);
    rank.chain.insert(op);
    if (beginsStage(op)) {
      rank.round = 1;
    } else if (rank.round > 0 && contractions.lookup(stage) > 1 &&
               !plans.getPlan(rank.chain.getArrayRef())) {
      ++rank.round;
      rank.chain = {};
      rank.chain.insert(op);
    }
    for (Operation *reader : findReaders(op)) {
      Rank &next = ranks[reader];
      if (stages.lookup(reader) != stage || rank.round < next.round)
        continue;
      if (rank.round > next.round)
        next = Rank{rank.round, {}};
      next.chain.insert_range(rank.chain);
    }
    // The last stage has the smallest key.
    sorted[{order.size() - stage, rank.round}].push_back(op);
  }
  order.clear();
  for (const auto &[rank, sequence] : sorted)
    llvm::append_range(order, sequence);
  return order;
}

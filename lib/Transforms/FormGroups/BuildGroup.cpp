//===----------------------------------------------------------------------===//
// Outlines a sequence of operations into a group.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/FormGroups/Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace stof;

/// Whether a scalar depends on a tensor element, which the host cannot read.
static bool readsElement(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op || isa<ShapedType>(next.getType()) || !seen.insert(next).second)
      continue;
    if (isa<tensor::ExtractOp>(op))
      return true;
    llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// Whether the operation that computes `value` is cloned into the group.
static bool belongsInside(Value value, bool asInit) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<ShapedType>(constant.getType());
  if (isa<tensor::EmptyOp, tensor::FromElementsOp>(op))
    return true;
  if (isa<linalg::FillOp>(op))
    return asInit;
  return !isa<ShapedType>(value.getType()) && readsElement(value);
}

namespace {
/// Collects the operations and inputs of a group.
class Contents {
public:
  explicit Contents(ArrayRef<Operation *> sequence) {
    OpSequence all = addReshapes(sequence);
    computed.insert(all.begin(), all.end());
    for (Operation *op : all)
      add(op);
  }

  ArrayRef<Operation *> getMembers() const { return members.getArrayRef(); }
  ArrayRef<Value> getInputs() const { return inputs.getArrayRef(); }

private:
  /// Adds `op`, after those of its operands that only a group can use.
  void add(Operation *op) {
    if (members.contains(op))
      return;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      use(operand.get(), linalgOp && linalgOp.isDpsInit(&operand));
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    for (Value value : captured)
      use(value, /*asInit=*/false);
    members.insert(op);
  }

  /// Adds the operation of `value` if it belongs into the group, else `value`
  /// as an input.
  void use(Value value, bool asInit) {
    if (computed.contains(value.getDefiningOp()))
      return;
    if (belongsInside(value, asInit))
      add(value.getDefiningOp());
    else
      inputs.insert(value);
  }

  llvm::SmallPtrSet<Operation *, 16> computed;
  llvm::SetVector<Operation *> members;
  llvm::SetVector<Value> inputs;
};
} // namespace

GroupOp stof::buildGroup(IRRewriter &rewriter, ArrayRef<Operation *> sequence,
                         const SequencePlan &plan) {
  // A sequence without a kernel is one operation, and rejected by lowering.
  SmallVector<Value> results =
      plan ? llvm::to_vector_of<Value>(plan->getResults())
           : SmallVector<Value>(sequence.back()->getResults());
  Contents contents(sequence);
  Operation *last = sequence.front();
  for (Operation *op : sequence)
    if (last->isBeforeInBlock(op))
      last = op;
  rewriter.setInsertionPoint(last);
  auto group =
      GroupOp::create(rewriter, last->getLoc(), ValueRange(results).getTypes(),
                      contents.getInputs(), /*outs=*/ValueRange(),
                      /*tiles=*/ArrayAttr());
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (Value input : contents.getInputs()) {
    types.push_back(input.getType());
    locations.push_back(input.getLoc());
  }
  Block *body = rewriter.createBlock(&group.getBody(), {}, types, locations);
  IRMapping mapping;
  mapping.map(contents.getInputs(), body->getArguments());
  for (Operation *member : contents.getMembers())
    rewriter.clone(*member, mapping);
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(mapping.lookup(result));
  stof::YieldOp::create(rewriter, last->getLoc(), yielded);
  for (auto [old, now] : llvm::zip(results, group.getResults()))
    rewriter.replaceAllUsesWith(old, now);
  for (Operation *member : llvm::reverse(contents.getMembers()))
    if (member->use_empty() && (isReshape(member) || isGroupable(member)))
      rewriter.eraseOp(member);
  return group;
}

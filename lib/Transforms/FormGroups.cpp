//===----------------------------------------------------------------------===//
// One group for each linalg operation, a contraction together with the
// elementwise operation that finishes it.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

namespace stof {
#define GEN_PASS_DEF_FORMGROUPSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// Collects what a group holds and builds it.
class GroupBuilder {
public:
  explicit GroupBuilder(ArrayRef<Operation *> roots) {
    for (Operation *root : roots)
      add(root);
  }

  /// Replaces the collected operations by a group in the place of the last.
  stof::GroupOp build(IRRewriter &rewriter);

private:
  /// Adds `op`, and before it what only a group may use of its operands.
  void add(Operation *op);

  /// Takes `value` from outside: by its operation if that belongs into the
  /// group, else as an input.
  void use(Value value);

  llvm::SetVector<Operation *> members;
  llvm::SetVector<Value> inputs;
};

/// Whether a scalar is computed from an element of a tensor, which the host
/// cannot read.
bool readsElement(Value value) {
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

/// Whether the operation that computes `value` is copied into the group.
bool belongsInside(Value value, bool asInit) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<ShapedType>(constant.getType());
  if (isa<tensor::EmptyOp>(op))
    return true;
  if (isa<linalg::FillOp>(op))
    return asInit;
  return !isa<ShapedType>(value.getType()) && readsElement(value);
}

void GroupBuilder::use(Value value) {
  if (!belongsInside(value, /*asInit=*/false))
    inputs.insert(value);
  else
    add(value.getDefiningOp());
}

void GroupBuilder::add(Operation *op) {
  if (members.contains(op))
    return;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (members.contains(operand.get().getDefiningOp()))
      continue;
    bool init = linalgOp && linalgOp.isDpsInit(&operand);
    if (belongsInside(operand.get(), init))
      add(operand.get().getDefiningOp());
    else
      inputs.insert(operand.get());
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (!members.contains(value.getDefiningOp()))
      use(value);
  members.insert(op);
}

stof::GroupOp GroupBuilder::build(IRRewriter &rewriter) {
  Operation *last = members.back();
  rewriter.setInsertionPoint(last);
  auto group = stof::GroupOp::create(
      rewriter, last->getLoc(), last->getResultTypes(), inputs.getArrayRef());
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (Value input : inputs) {
    types.push_back(input.getType());
    locations.push_back(input.getLoc());
  }
  Block *body = rewriter.createBlock(&group.getBody(), {}, types, locations);
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), body->getArguments());
  for (Operation *member : members)
    rewriter.clone(*member, mapping);
  SmallVector<Value> yielded;
  for (Value result : last->getResults())
    yielded.push_back(mapping.lookup(result));
  stof::YieldOp::create(rewriter, last->getLoc(), yielded);
  rewriter.replaceOp(last, group.getResults());
  return group;
}

/// The elementwise operation that alone uses the result of `contraction` and
/// runs over exactly its elements, or null.
linalg::GenericOp findEpilogue(linalg::LinalgOp contraction) {
  Value result = contraction->getResult(0);
  if (!result.hasOneUse())
    return {};
  OpOperand &use = *result.use_begin();
  auto generic = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!generic || generic->getBlock() != contraction->getBlock() ||
      !generic.isAllParallelLoops() || !generic.isDpsInput(&use) ||
      !generic.getMatchingIndexingMap(&use).isIdentity())
    return {};
  auto sameElements = [&](OpOperand &init) {
    return generic.getMatchingIndexingMap(&init).isIdentity() &&
           !generic.payloadUsesValueFromOperand(&init);
  };
  return llvm::all_of(generic.getDpsInitsMutable(), sameElements)
             ? generic
             : linalg::GenericOp();
}

struct FormGroupsPass : stof::impl::FormGroupsPassBase<FormGroupsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block &block : getOperation().getBody()) {
      SmallVector<linalg::LinalgOp> worklist(block.getOps<linalg::LinalgOp>());
      llvm::SmallPtrSet<Operation *, 16> grouped;
      for (linalg::LinalgOp op : worklist) {
        if (grouped.contains(op) || !op.hasPureTensorSemantics())
          continue;
        if (op->use_empty()) {
          rewriter.eraseOp(op);
          continue;
        }
        // An initial value moves into the groups that it starts.
        if (isa<linalg::FillOp>(op) &&
            llvm::all_of(op->getUses(), [](OpOperand &use) {
              auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
              return user && user.isDpsInit(&use);
            }))
          continue;
        formGroup(rewriter, op, grouped);
      }
    }
  }

private:
  void formGroup(IRRewriter &rewriter, linalg::LinalgOp op,
                 llvm::SmallPtrSetImpl<Operation *> &grouped) {
    StringRef rootName = op->getName().getStringRef();
    SmallVector<Operation *> roots{op};
    if (linalg::isaContractionOpInterface(op)) {
      if (linalg::GenericOp epilogue = findEpilogue(op)) {
        grouped.insert(epilogue);
        roots.push_back(epilogue);
      }
    } else if (!isa<linalg::GenericOp>(op)) {
      rewriter.setInsertionPoint(op);
      // Only a generic operation or one without a region has no general form,
      // and the verifier of the interface demands a region.
      roots.front() = *linalg::generalizeNamedOp(rewriter, op);
    }
    stof::GroupOp group = GroupBuilder(roots).build(rewriter);
    for (Operation *root : llvm::reverse(roots))
      if (root != roots.back() && root->use_empty())
        rewriter.eraseOp(root);
    remark::analysis(
        group.getLoc(),
        remark::RemarkOpts::name("FormedGroup").category("stof-form-groups"))
        << ("a group of " + rootName +
            (roots.size() > 1 ? " with an elementwise epilogue" : ""))
               .str();
  }
};

} // namespace

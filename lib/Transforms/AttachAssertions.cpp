//===----------------------------------------------------------------------===//
// Attaches assertions to the reads whose indices depend on the same data:
// elements that a body is given or reads, and scalar arguments. Coordinates and
// sizes do not count as data.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

namespace stof {
#define GEN_PASS_DEF_ATTACHASSERTIONSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// The data that the scalar `root` depends on.
static SetVector<Value> collectData(Value root) {
  SetVector<Value> data, open;
  open.insert(root);
  for (unsigned next = 0; next < open.size(); ++next) {
    Value value = open[next];
    if (isa<ShapedType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || isa<tensor::ExtractOp>(op))
      data.insert(value);
    else if (!isa<tensor::DimOp>(op) && op->getNumRegions() == 0)
      open.insert_range(op->getOperands());
  }
  return data;
}

/// Checks the indices of `read` that depend on `data`, the data of `assertion`;
/// returns whether there are any.
static bool attach(cf::AssertOp assertion, tensor::ExtractOp read,
                   const SetVector<Value> &data, DominanceInfo &dominance) {
  if (!dominance.properlyDominates(assertion.getArg(), read))
    return false;
  bool isAttached = false;
  OpBuilder builder(read);
  for (OpOperand &index : read.getIndicesMutable()) {
    if (llvm::none_of(collectData(index.get()),
                      [&](Value value) { return data.contains(value); }))
      continue;
    index.set(CheckOp::create(builder, assertion.getLoc(), index.get(),
                              assertion.getArg(), assertion.getMsg()));
    isAttached = true;
  }
  return isAttached;
}

namespace {

struct AttachAssertionsPass
    : stof::impl::AttachAssertionsPassBase<AttachAssertionsPass> {
  using Base::Base;
  void runOnOperation() override {
    auto &dominance = getAnalysis<DominanceInfo>();
    SmallVector<cf::AssertOp> assertions;
    getOperation()->walk(
        [&](cf::AssertOp assertion) { assertions.push_back(assertion); });
    for (cf::AssertOp assertion : assertions) {
      SetVector<Value> data = collectData(assertion.getArg());
      if (data.empty())
        continue;
      bool isAttached = false;
      assertion->getBlock()->walk([&](tensor::ExtractOp read) {
        isAttached |= attach(assertion, read, data, dominance);
      });
      if (isAttached)
        assertion.erase();
    }
  }
};

} // namespace

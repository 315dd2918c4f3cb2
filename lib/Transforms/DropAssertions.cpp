//===----------------------------------------------------------------------===//
// Erases assertions: those on sizes are checks of the package, those on indices
// have become checks of reads, and the others are not evaluated.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_DROPASSERTIONSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// Whether `value` depends only on sizes and constants.
static bool dependsOnSizesOnly(Value value) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || op->getNumRegions() != 0 ||
        !isa_and_nonnull<func::FuncOp>(op->getParentOp()))
      return false;
    if (isa<tensor::DimOp, memref::DimOp>(op))
      continue;
    if (isa<tensor::ExtractOp, memref::LoadOp>(op))
      return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

namespace {

struct DropAssertionsPass
    : stof::impl::DropAssertionsPassBase<DropAssertionsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](cf::AssertOp assertion) {
      bool isChecked = isa<func::FuncOp>(assertion->getParentOp()) &&
                       dependsOnSizesOnly(assertion.getArg());
      if (isChecked && keepSizes)
        return;
      if (!isChecked)
        remark::missed(assertion.getLoc(),
                       remark::RemarkOpts::name("AssertionNotChecked")
                           .category("stof-drop-assertions"))
            << remark::reason("'{0}' depends on values of tensors, and no read "
                              "next to it depends on the same",
                              assertion.getMsg());
      assertion.erase();
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Inlines groups into their function.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {
#define GEN_PASS_DEF_INLINEGROUPSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

struct InlineGroupsPass : stof::impl::InlineGroupsPassBase<InlineGroupsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](GroupOp group) {
      Block &body = group.getBody().front();
      Operation *yield = body.getTerminator();
      rewriter.inlineBlockBefore(&body, group, group.getInputs());
      rewriter.replaceOp(group, yield->getOperands());
      rewriter.eraseOp(yield);
    });
  }
};

} // namespace

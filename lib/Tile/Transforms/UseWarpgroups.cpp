//===----------------------------------------------------------------------===//
// The pass that lets warpgroups compute contractions.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "ConstantFragments.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace stof {
#define GEN_PASS_DEF_USEWARPGROUPSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-use-warpgroups");
}

/// Whether the lhs of `op` stays in registers from one iteration of the loop
/// around it to the next.
static bool keepsLhs(ContractOp op) {
  auto loop = op->getParentOfType<LoopLikeOpInterface>();
  return isa<FragmentType>(op.getLhs().getType()) && loop &&
         loop.isDefinedOutsideOfLoop(op.getLhs());
}

/// What keeps warpgroups from computing `op`; empty if nothing does.
static std::string explainWarps(ContractOp op) {
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  FragmentType accumulator = op.getAccumulator().getType();
  std::string reason = explainNoAccumulators(accumulator);
  if (reason.empty())
    reason = explainNoWgmma(lhs, op.getRhs().getType(), accumulator,
                            op.getTransposeLhs(), op.getTransposeRhs());
  // Seen where another wgmma of the loop has an lhs of as many registers, and
  // a branch is in between: both were assigned the same ones.
  if (reason.empty() && keepsLhs(op))
    reason = "expects an lhs that its loop computes, as ptxas of CUDA 12.9 and "
             "13.0 may overwrite registers that stay";
  return reason;
}

/// Whether a tensor map has brought `tile`.
static bool isBulk(Value tile) {
  auto receive = tile.getDefiningOp<ReceiveOp>();
  auto channel =
      receive ? receive.getChannel().getDefiningOp<ChannelOp>() : ChannelOp();
  return channel && channel.getBulk();
}

/// Replaces `op` by one wgmma, which is waited for at once.
static void useWarpgroups(ContractOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto inFlight = InFlightType::get(op.getAccumulator().getType());
  // An lhs in registers is handed over with the accumulators.
  SmallVector<Value> shared;
  for (Value operand : {Value(op.getLhs()), Value(op.getRhs())})
    if (isa<SharedType>(operand.getType()) && !isBulk(operand))
      shared.push_back(operand);
  // No register has to be set to zero.
  Value accumulator = op.getAccumulator();
  bool fromZero = isZero(accumulator);
  if (fromZero)
    accumulator = createUndefined(builder, loc, op.getAccumulator().getType());
  Value sum = WgmmaFenceOp::create(builder, loc, inFlight, accumulator, shared);
  sum = WgmmaOp::create(builder, loc, op.getLhs(), op.getRhs(), sum,
                        op.getTransposeLhs(), op.getTransposeRhs(), fromZero);
  sum = WgmmaCommitOp::create(builder, loc, sum);
  sum = WgmmaWaitOp::create(builder, loc, inFlight.getFragment(), sum,
                            /*pending=*/0);
  op.getResult().replaceAllUsesWith(sum);
  op.erase();
}

namespace {
struct UseWarpgroupsPass
    : stof::impl::UseWarpgroupsPassBase<UseWarpgroupsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](ContractOp op) {
      std::string reason = explainWarps(op);
      if (!reason.empty()) {
        remark::missed(op.getLoc(), named("Warpgroups"))
            << remark::reason("{0}", reason);
        return;
      }
      remark::passed(op.getLoc(), named("Warpgroups")) << remark::metric(
          "Groups",
          op.getResult().getType().getLayout().getNumWarps() / warpsPerGroup);
      useWarpgroups(op);
    });
  }
};
} // namespace

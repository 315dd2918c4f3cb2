//===----------------------------------------------------------------------===//
// The pass that keeps the wgmma of an iteration in flight over the next one, so
// that tensor cores do not wait for the end of an iteration while it is the
// turn of one group of warps.
//
// 1. Find mainloops whose accumulators only accumulate, over tiles that tensor
//    maps bring through channels.
// 2. If they start at zero, and there is a first iteration, peel it off: no
//    register has to be set to zero.
// 3. Carry the accumulators in flight, with a wait for them after the loop.
// 4. In an iteration, wait for all groups but its own: what the iteration
//    before has read is released then.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "ConstantFragments.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_KEEPINFLIGHTPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

namespace {
/// An iteration that accumulates with one wgmma: fence, wgmma, commit, wait.
struct Accumulation {
  WgmmaFenceOp fence;
  WgmmaOp wgmma;
  WgmmaCommitOp commit;
  WgmmaWaitOp wait;
  /// The number of the carried accumulators.
  unsigned number;
  SmallVector<ReleaseOp> releases;
};
} // namespace

/// The carried value that `wait` is the next one of, if nothing else uses it.
static std::optional<unsigned> getCarried(scf::ForOp loop, WgmmaWaitOp wait) {
  if (!wait.getResult().hasOneUse())
    return std::nullopt;
  OpOperand &use = *wait.getResult().use_begin();
  if (use.getOwner() != loop.getBody()->getTerminator())
    return std::nullopt;
  return use.getOperandNumber();
}

/// The accumulation that is all that the iterations of `loop` do with tiles.
static std::optional<Accumulation> getAccumulation(scf::ForOp loop) {
  Accumulation found;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto wait = dyn_cast<WgmmaWaitOp>(op)) {
      if (found.wait)
        return std::nullopt;
      found.wait = wait;
    } else if (auto release = dyn_cast<ReleaseOp>(op)) {
      found.releases.push_back(release);
    } else if (!isa<ReceiveOp, WgmmaFenceOp, WgmmaOp, WgmmaCommitOp>(op) &&
               !isMemoryEffectFree(&op)) {
      return std::nullopt;
    }
  }
  if (!found.wait || found.releases.empty())
    return std::nullopt;
  found.commit = found.wait.getAccumulator().getDefiningOp<WgmmaCommitOp>();
  found.wgmma = found.commit
                    ? found.commit.getAccumulator().getDefiningOp<WgmmaOp>()
                    : WgmmaOp();
  found.fence = found.wgmma
                    ? found.wgmma.getAccumulator().getDefiningOp<WgmmaFenceOp>()
                    : WgmmaFenceOp();
  std::optional<unsigned> number = getCarried(loop, found.wait);
  // Only tensor maps bring tiles that need no fence in each iteration.
  if (!found.fence || !number || !found.fence.getTiles().empty() ||
      !isa<SharedType>(found.wgmma.getLhs().getType()) ||
      found.fence.getAccumulator() != loop.getRegionIterArg(*number) ||
      !loop.getRegionIterArg(*number).hasOneUse())
    return std::nullopt;
  found.number = *number;
  return found;
}

/// Releases the tiles of the iteration before `number`, of the channels of
/// `releases`.
static void releaseBefore(OpBuilder &builder, ArrayRef<ReleaseOp> releases,
                          llvm::function_ref<Value(Value)> getNumber) {
  for (ReleaseOp release : releases) {
    Location loc = release.getLoc();
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value number = arith::SubIOp::create(builder, loc,
                                         getNumber(release.getNumber()), one);
    ReleaseOp::create(builder, loc, release.getChannel(), number);
  }
}

/// The value after the loop of a carried number.
static Value getFinal(scf::ForOp loop, Value number) {
  return loop.getResult(cast<BlockArgument>(number).getArgNumber() -
                        loop.getNumInductionVars());
}

/// Whether `loop` has an iteration, and its accumulators start at zero.
static bool startsAtZero(scf::ForOp loop, const Accumulation &found) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  return isZero(loop.getInitArgs()[found.number]) && lower && upper &&
         *lower < *upper;
}

/// Hands the accumulators over before `loop`; returns them in flight.
static Value handOver(OpBuilder &builder, Location loc, Value accumulators,
                      InFlightType inFlight) {
  return WgmmaFenceOp::create(builder, loc, inFlight, accumulators,
                              /*tiles=*/ValueRange());
}

/// Moves the first iteration of `loop` in front of it, with accumulators that
/// are undefined before. Its tiles are released in the next one.
static void peelFirst(scf::ForOp loop, Accumulation &found) {
  OpBuilder builder(loop);
  Location loc = found.wgmma.getLoc();
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == found.fence) {
      Value none =
          createUndefined(builder, loc, found.fence.getAccumulator().getType());
      first.map(found.fence.getResult(),
                handOver(builder, loc, none, found.fence.getType()));
    } else if (&op == found.wait) {
      first.map(found.wait.getResult(), first.lookup(found.commit.getResult()));
    } else if (!isa<ReleaseOp>(op)) {
      builder.clone(op, first);
    }
  }
  cast<WgmmaOp>(first.lookup(found.wgmma.getResult()).getDefiningOp())
      .setFromZero(true);
  for (auto [init, next] :
       llvm::zip_equal(loop.getInitArgsMutable(), loop.getYieldedValues()))
    init.set(first.lookupOrDefault(next));
  loop.setLowerBound(builder.createOrFold<arith::AddIOp>(
      loc, loop.getLowerBound(), loop.getStep()));
}

/// Carries the accumulators of `loop` in flight.
static void carryInFlight(scf::ForOp loop, Accumulation &found) {
  auto inFlight = found.commit.getResult().getType();
  BlockArgument carried = loop.getRegionIterArg(found.number);
  carried.setType(inFlight);
  loop.getResult(found.number).setType(inFlight);
  found.fence.getResult().replaceAllUsesWith(carried);
  found.wgmma.setFenced(true);
  found.fence.erase();
  loop.getBody()->getTerminator()->setOperand(found.number,
                                              found.commit.getResult());
}

/// A builder for what is done if `lhs` is related to `rhs`.
static OpBuilder enterIf(OpBuilder &builder, Location loc,
                         arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  Value holds = arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  return scf::IfOp::create(builder, loc, holds).getThenBodyBuilder();
}

/// Keeps the wgmma of `loop` in flight.
static void keepInFlight(scf::ForOp loop, Accumulation &found) {
  OpBuilder builder(loop);
  Location loc = found.wgmma.getLoc();
  InFlightType inFlight = found.commit.getResult().getType();
  bool isPeeled = startsAtZero(loop, found);
  if (isPeeled) {
    peelFirst(loop, found);
  } else {
    OpOperand &init = loop.getInitArgsMutable()[found.number];
    init.set(handOver(builder, loc, init.get(), inFlight));
  }
  carryInFlight(loop, found);

  builder.setInsertionPoint(found.wait);
  WgmmaWaitGroupsOp::create(builder, loc, /*pending=*/1);
  OpBuilder later = isPeeled
                        ? builder
                        : enterIf(builder, loc, arith::CmpIPredicate::ne,
                                  loop.getInductionVar(), loop.getLowerBound());
  releaseBefore(later, found.releases, [](Value number) { return number; });

  // The turn of a group ends when all of its wgmma are issued.
  builder.setInsertionPointAfter(loop);
  if (auto end = dyn_cast_or_null<EndTurnOp>(loop->getNextNode()))
    builder.setInsertionPointAfter(end);
  Value result = loop.getResult(found.number);
  auto last = WgmmaWaitOp::create(builder, loc, inFlight.getFragment(), result,
                                  /*pending=*/0);
  result.replaceAllUsesExcept(last.getResult(), last);
  OpBuilder any = isPeeled
                      ? builder
                      : enterIf(builder, loc, arith::CmpIPredicate::slt,
                                loop.getLowerBound(), loop.getUpperBound());
  releaseBefore(any, found.releases,
                [&](Value number) { return getFinal(loop, number); });
  found.wait.erase();
  for (ReleaseOp release : found.releases)
    release.erase();
}

/// Whether the numbers of the tiles that `found` releases are carried, and
/// channels have room for the tiles of two iterations.
static bool canReleaseLater(scf::ForOp loop, const Accumulation &found) {
  return llvm::all_of(found.releases, [&](ReleaseOp release) {
    auto number = dyn_cast<BlockArgument>(release.getNumber());
    return number && number.getOwner() == loop.getBody() &&
           number != loop.getInductionVar() &&
           release.getChannel().getType().getStages() > 1;
  });
}

namespace {
struct KeepInFlightPass : stof::impl::KeepInFlightPassBase<KeepInFlightPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation().walk([](scf::ForOp loop) {
      // Other groups of the CTA, or other CTAs, use the tensor cores otherwise.
      if (getNumGroups(loop->getBlock()) == 1)
        return;
      std::optional<Accumulation> found = getAccumulation(loop);
      if (!found || !canReleaseLater(loop, *found))
        return;
      remark::passed(loop.getLoc(), remark::RemarkOpts::name("KeptInFlight")
                                        .category("stof-keep-in-flight"))
          << remark::metric("Releases", found->releases.size());
      keepInFlight(loop, *found);
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Reduces a mask for the partial tiles of each interval.
//
//   1. Comparisons that the tiles of an interval imply become constants, which
//      folds the predicate.
//   2. The interval that has all out-of-bounds keys comes first: tiles of the
//      others need no test for them.
//   3. Intervals with equal predicates share one. Beyond the number of copies
//      that a kernel has, the most expensive fall back to the whole predicate.
//===----------------------------------------------------------------------===//

#include "PartialTiles.h"
#include "../Scalar/ScalarBody.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace stof;

#define DEBUG_TYPE "stof-emit-kernels"

/// The most predicates that a mainloop has code for.
static constexpr size_t maxCopies = 4;

static unsigned countComparisons(Block &predicate) {
  unsigned count = 0;
  predicate.walk([&](Operation *op) {
    count += isa<arith::CmpIOp, arith::CmpFOp, arith::MaxSIOp, arith::MinSIOp,
                 math::AbsIOp>(op);
  });
  return count;
}

bool ReducedMask::keepsAll() {
  Value kept = mask->getPredicate().front().getTerminator()->getOperand(0);
  return matchPattern(kept, m_One());
}

/// The value of `op` of a predicate for this outcome of its comparison.
static Value resolve(OpBuilder &builder, Operation *op, bool outcome) {
  Location loc = op->getLoc();
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op))
    return op->getOperand(outcome ? 0 : 1);
  if (!isa<math::AbsIOp>(op))
    return arith::ConstantIntOp::create(builder, loc, builder.getI1Type(),
                                        outcome);
  Value operand = op->getOperand(0);
  if (outcome)
    return operand;
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(operand.getType(), 0));
  return arith::SubIOp::create(builder, loc, zero, operand);
}

/// A mask with a copy of `predicate` that has some comparisons replaced by
/// their outcomes.
static OwningOpRef<MaskOp> copyWith(const MaskPredicate &predicate,
                                    MaskType type,
                                    ArrayRef<std::pair<Value, bool>> outcomes) {
  IRMapping copies;
  OpBuilder builder(type.getContext());
  OwningOpRef<MaskOp> copy = predicate.copy(builder, type, copies);
  for (auto [value, outcome] : outcomes) {
    Operation *op = copies.lookup(value).getDefiningOp();
    builder.setInsertionPoint(op);
    op->getResult(0).replaceAllUsesWith(resolve(builder, op, outcome));
  }
  // Without patterns this folds, and erases dead operations.
  (void)applyPatternsGreedily(copy->getPredicate(), FrozenRewritePatternSet());
  return copy;
}

static void report(AttentionOp op, unsigned interval, int64_t stride,
                   unsigned comparisons, unsigned left) {
  auto options = remark::RemarkOpts::name("PartialTiles").category(DEBUG_TYPE);
  auto remark = left < comparisons ? remark::passed(op.getLoc(), options)
                                   : remark::missed(op.getLoc(), options);
  remark << remark::metric("Interval", interval)
         << remark::metric("KeyStride", stride)
         << remark::metric("Comparisons", comparisons)
         << remark::metric("Evaluated", left);
  if (left == comparisons)
    remark << remark::reason("its tiles imply no comparison");
}

/// The number of the interval of `partial` that has all out-of-bounds keys;
/// nothing if there is none.
static std::optional<unsigned> findPadding(ImpliedPredicates &implied,
                                           ArrayAttr partial, int64_t stride,
                                           int64_t offset) {
  for (auto [number, interval] :
       llvm::enumerate(partial.getAsRange<IntervalAttr>()))
    if (implied.hasAllPadding(interval, stride, offset))
      return number;
  return std::nullopt;
}

std::vector<ReducedMask> stof::reduceMask(AttentionOp op,
                                          ImpliedPredicates &implied,
                                          ArrayAttr visited, ArrayAttr partial,
                                          int64_t stride, int64_t offset,
                                          bool isFilled) {
  const MaskPredicate &predicate = implied.getPredicate();
  auto type = cast<MaskType>(op.getMask().getType());
  unsigned comparisons = countComparisons(predicate.getBody());
  std::optional<unsigned> end;
  if (!isFilled && partial.size() > 1)
    end = findPadding(implied, partial, stride, offset);
  std::vector<ReducedMask> reduced;
  for (auto [number, interval] :
       llvm::enumerate(partial.getAsRange<IntervalAttr>())) {
    ImpliedPredicates::Selection tiles{interval, visited, stride, offset};
    if (implied.isEmpty(tiles))
      continue;
    OwningOpRef<MaskOp> copy = copyWith(predicate, type, implied.find(tiles));
    // Reads clamp out-of-bounds keys to the last one, whose result says nothing
    // about padding.
    bool readsKeys = readsTensors(copy->getPredicate()) ||
                     (op.hasScore() && readsTensors(op.getScore()));
    bool isBeforeEnd = end && *end != number;
    bool hasPadding = !isFilled && !isBeforeEnd &&
                      (readsKeys || implied.keepsPadding(*copy, tiles));
    unsigned left = countComparisons(copy->getPredicate().front());
    report(op, number, stride, comparisons, left);
    auto same = llvm::find_if(reduced, [&](ReducedMask &other) {
      return other.hasPadding == hasPadding &&
             OperationEquivalence::isRegionEquivalentTo(
                 &other.mask->getPredicate(), &copy->getPredicate(),
                 OperationEquivalence::IgnoreLocations);
    });
    if (same != reduced.end())
      same->intervals.push_back(number);
    else
      reduced.push_back(
          {{unsigned(number)}, std::move(copy), left, hasPadding});
  }
  llvm::sort(reduced, [&](const ReducedMask &lhs, const ReducedMask &rhs) {
    auto rank = [&](const ReducedMask &one) {
      bool isAtEnd = end && llvm::is_contained(one.intervals, *end);
      return std::tuple(!isAtEnd, one.comparisons, one.hasPadding,
                        one.intervals.front());
    };
    return rank(lhs) < rank(rhs);
  });
  if (reduced.size() <= maxCopies)
    return reduced;
  ReducedMask rest{{}, copyWith(predicate, type, {}), comparisons, !isFilled};
  for (const ReducedMask &one : llvm::drop_begin(reduced, maxCopies - 1))
    llvm::append_range(rest.intervals, one.intervals);
  reduced.erase(reduced.begin() + (maxCopies - 1), reduced.end());
  reduced.push_back(std::move(rest));
  return reduced;
}

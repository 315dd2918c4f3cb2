//===----------------------------------------------------------------------===//
// Split-K for contractions of few tiles.
//
//   1. Contractions of one left operand share a kernel; together they may
//      occupy a device although each alone does not.
//   2. If the tiles of all leave SMs idle, each split-K factor is built, and
//      the cost model predicts the time of its kernel.
//   3. Added to that are the traffic of the partial sums and a launch, unless a
//      separate kernel reduces rows of the result anyway: it then reads the
//      partial sums instead.
//   4. The fastest variant is kept, the others are erased.
//===----------------------------------------------------------------------===//

#include "SplitK/PartialSums.h"
#include "stof/CostModel/Counts.h"
#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/GroupCost.h"
#include "stof/CostModel/MatmulTile.h"
#include "stof/Support/ResolveTarget.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace stof {
#define GEN_PASS_DEF_SPLITKPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

constexpr int64_t maxSplits = 16;
/// Bytes of the K tiles of all kernels but those with the smallest CTA tiles.
constexpr int64_t kTileBytes = 128;
/// Minimum of K tiles for which split-K may pay off.
constexpr int64_t manyKTiles = 16;
/// The minimum gain, as a fraction of the unsplit time: both predictions are
/// off by a tenth.
constexpr double leastGain = 0.15;

using Contractions = SmallVector<linalg::LinalgOp>;

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-split-k");
}

std::string inMicroseconds(double time) {
  return llvm::formatv("{0:F1} us", time).str();
}

/// Whether all operands are of static sizes, which may say less than the loops.
bool isStatic(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  });
}

/// Whether a contraction of dynamic sizes may have few tiles, with many K tiles
/// each.
bool mayHaveFewTiles(linalg::LinalgOp contraction, int64_t sms) {
  SmallVector<int64_t> sizes = contraction.getStaticLoopRanges();
  ContractionLoops loops = *getContractionLoops(contraction);
  auto countOf = [&](ArrayRef<unsigned> some) {
    int64_t count = 1;
    for (unsigned loop : some)
      count *= ShapedType::isDynamic(sizes[loop]) ? 0 : sizes[loop];
    return count;
  };
  int64_t tileColumns = FullNTile().columns;
  int64_t columns = countOf(loops.columns);
  return columns > 0 && columns < tileColumns * sms &&
         countOf(loops.reduction) * getOperandBytes(contraction) >=
             manyKTiles * kTileBytes;
}

bool readsOneOf(Operation *op, const llvm::SetVector<Operation *> &sources) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return llvm::any_of(read, [&](Value value) {
    return sources.contains(value.getDefiningOp());
  });
}

/// Whether rows of the result, possibly after elementwise operations, are
/// reduced in a separate kernel: its rows exceed a tile, or fusion is slower.
/// That kernel can add up partial sums as well.
bool isReducedSeparately(linalg::LinalgOp contraction,
                         const TargetInfo *target) {
  llvm::SetVector<Operation *> members;
  members.insert(contraction);
  auto costOf = [&](ArrayRef<Operation *> ops) {
    PlanResult<GroupBranches> branches = planGroup(ops, target);
    return branches
               ? std::optional(estimateCost(*branches, target).microseconds)
               : std::nullopt;
  };
  for (Operation *op = contraction->getNextNode(); op; op = op->getNextNode()) {
    if (!readsOneOf(op, members))
      continue;
    if (isReshape(op)) {
      members.insert(op);
      continue;
    }
    if (!isGroupable(op) ||
        classifyOperation(op) == OperationClass::ComputeIntensive)
      continue;
    SmallVector<Operation *> all(members.getArrayRef());
    all.push_back(op);
    std::optional<double> shared = costOf(all);
    bool isRow = cast<linalg::LinalgOp>(op).getNumReductionLoops() > 0;
    if (shared &&
        (!isRow || *shared <= costOf(members.getArrayRef()).value_or(0) +
                                  costOf(op).value_or(0))) {
      members.insert(op);
      continue;
    }
    return isRow && costOf(ArrayRef(all).drop_front());
  }
  return false;
}

/// The bytes of all operands, each counted once.
double countOperandBytes(ArrayRef<linalg::LinalgOp> contractions) {
  llvm::SmallDenseSet<Value> counted;
  double bytes = 0;
  for (linalg::LinalgOp contraction : contractions)
    for (Value input : contraction.getDpsInputs())
      if (counted.insert(input).second)
        bytes += countBytes(input);
  return bytes;
}

/// The work of one kernel for all of `contractions`, if there is such a kernel.
std::optional<KernelWork> workOf(ArrayRef<linalg::LinalgOp> contractions,
                                 const TargetInfo *target, double bytes) {
  SmallVector<Operation *> members(contractions.begin(), contractions.end());
  PlanResult<GroupBranches> branches = planGroup(members, target);
  if (!branches)
    return std::nullopt;
  return countMatmulsWork(*branches, target, static_cast<int64_t>(bytes));
}

/// Contractions that one kernel computes.
class FewTiles {
public:
  FewTiles(IRRewriter &rewriter, ArrayRef<linalg::LinalgOp> contractions,
           const TargetInfo *target)
      : rewriter(rewriter), contractions(contractions), target(target),
        model(getCostModel(target)) {}

  /// Applies the fastest split-K factor, if the gain is large enough.
  void splitIfFaster();

private:
  /// The K loops to split, leaving whole K tiles; empty if a contraction has
  /// none.
  SmallVector<unsigned> findLoops(int64_t count) const;
  SmallVector<PartialSums> build(ArrayRef<unsigned> loops, int64_t count);
  /// The time of a kernel that computes the partial sums; infinite if there is
  /// none.
  double predict(ArrayRef<unsigned> loops, int64_t count);
  /// The additional time to add up `count` partial sums.
  double estimateSums(int64_t count, bool areReducedSeparately) const;
  void refuse(StringRef reason) const;

  IRRewriter &rewriter;
  Contractions contractions;
  const TargetInfo *target;
  CostModel model;
};

SmallVector<unsigned> FewTiles::findLoops(int64_t count) const {
  SmallVector<unsigned> loops;
  for (linalg::LinalgOp contraction : contractions) {
    int64_t bytes = countK(contraction) * getOperandBytes(contraction);
    std::optional<unsigned> loop = findDividedLoop(contraction, count);
    if (!loop || bytes % (count * kTileBytes) != 0)
      return {};
    loops.push_back(*loop);
  }
  return loops;
}

SmallVector<PartialSums> FewTiles::build(ArrayRef<unsigned> loops,
                                         int64_t count) {
  SmallVector<PartialSums> built;
  for (auto [contraction, loop] : llvm::zip(contractions, loops))
    built.push_back(buildPartialSums(rewriter, contraction, loop, count));
  return built;
}

double FewTiles::predict(ArrayRef<unsigned> loops, int64_t count) {
  SmallVector<PartialSums> built = build(loops, count);
  Contractions parts = llvm::map_to_vector(
      built, [](const PartialSums &sums) { return sums.parts; });
  std::optional<KernelWork> work =
      workOf(parts, target, countOperandBytes(contractions));
  double time =
      work ? model.predict(*work) : std::numeric_limits<double>::infinity();
  for (const PartialSums &sums : built)
    for (Operation *op : llvm::reverse(sums.built))
      rewriter.eraseOp(op);
  return time;
}

double FewTiles::estimateSums(int64_t count, bool areReducedSeparately) const {
  double whole = 0, parts = 0;
  for (linalg::LinalgOp contraction : contractions) {
    constexpr double partBytes = 4;
    whole += countBytes(contraction->getResult(0));
    parts += partBytes * countElements(contraction) * count;
  }
  // Partial sums are written and read; an existing reader saves reading the
  // whole.
  double time = estimateTraffic(2 * parts);
  return areReducedSeparately ? time - estimateTraffic(whole)
                              : time + launchTime;
}

void FewTiles::refuse(StringRef reason) const {
  for (linalg::LinalgOp contraction : contractions)
    remark::missed(contraction.getLoc(), named("NotSplitK"))
        << describeOperation(contraction) << remark::reason("{0}", reason);
}

void FewTiles::splitIfFaster() {
  std::optional<KernelWork> work =
      workOf(contractions, target, countOperandBytes(contractions));
  if (!work || work->ctas == 0 || work->ctas >= model.getNumSMs())
    return;
  double whole = model.predict(*work);
  bool areReducedSeparately =
      llvm::all_of(contractions, [&](linalg::LinalgOp contraction) {
        return isReducedSeparately(contraction, target);
      });
  int64_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t count = 2; count <= maxSplits; ++count) {
    SmallVector<unsigned> loops = findLoops(count);
    if (loops.empty())
      continue;
    double time =
        predict(loops, count) + estimateSums(count, areReducedSeparately);
    if (time < least) {
      least = time;
      best = count;
    }
  }
  if (best == 1)
    return refuse("no split-K factor divides K into whole K tiles");
  std::string times =
      inMicroseconds(least) + " instead of " + inMicroseconds(whole);
  if (least > (1 - leastGain) * whole)
    return refuse(
        llvm::formatv("split-K by {0} would take {1}", best, times).str());
  SmallVector<PartialSums> built = build(findLoops(best), best);
  for (auto [contraction, sums] : llvm::zip(contractions, built)) {
    remark::passed(contraction.getLoc(), named("SplitK"))
        << describeOperation(contraction) + " split-K by " +
               std::to_string(best) + ": " + times;
    rewriter.replaceOp(contraction, sums.sum->getResults());
  }
}

struct SplitKPass : stof::impl::SplitKPassBase<SplitKPass> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<const TargetInfo *> known = resolveTarget(getOperation(), chip);
    if (failed(known))
      return signalPassFailure();
    target = *known;
    if (factor < 0) {
      getOperation().emitError(
          "expects a split-K factor of 0 or more, but got ")
          << factor.getValue();
      return signalPassFailure();
    }
    if (!target && factor == 0)
      return;
    for (Block &block : getOperation().getBody()) {
      // Ordered by the first contraction of each operand.
      llvm::MapVector<Value, Contractions> ofOperand;
      for (auto op : block.getOps<linalg::LinalgOp>())
        if (op.hasPureTensorSemantics() && !op->use_empty() &&
            getContractionLoops(op) &&
            !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
            GroupPlan::of(op.getOperation()))
          ofOperand[op.getDpsInputOperand(0)->get()].push_back(op);
      for (auto &[operand, contractions] : ofOperand)
        split(contractions);
    }
  }

private:
  /// Null for the CPU.
  const TargetInfo *target = nullptr;

  void split(const Contractions &contractions) {
    IRRewriter rewriter(&getContext());
    Contractions known;
    for (linalg::LinalgOp contraction : contractions) {
      if (isStatic(contraction))
        known.push_back(contraction);
      else if (factor == 0 &&
               mayHaveFewTiles(contraction, getCostModel(target).getNumSMs()))
        remark::missed(contraction.getLoc(), named("NotSplitK"))
            << describeOperation(contraction)
            << remark::reason("its sizes are dynamic");
    }
    if (factor != 0) {
      for (linalg::LinalgOp contraction : known)
        splitByOption(rewriter, contraction);
      return;
    }
    if (known.empty())
      return;
    SmallVector<Operation *> members(known.begin(), known.end());
    if (planGroup(members, target)) {
      FewTiles(rewriter, known, target).splitIfFaster();
      return;
    }
    for (linalg::LinalgOp contraction : known)
      FewTiles(rewriter, contraction, target).splitIfFaster();
  }

  void splitByOption(IRRewriter &rewriter, linalg::LinalgOp contraction) {
    if (std::optional<unsigned> loop = findDividedLoop(contraction, factor))
      rewriter.replaceOp(contraction,
                         buildPartialSums(rewriter, contraction, *loop, factor)
                             .sum->getResults());
  }
};

} // namespace

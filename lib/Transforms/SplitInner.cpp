//===----------------------------------------------------------------------===//
// Products of few tiles in parts of what they sum over.
//
//   1. Products of one left operand belong together: one kernel computes them,
//      and together they may keep a device busy where each alone does not.
//   2. Where the tiles of all leave multiprocessors idle, each number of parts
//      is built, and the cost model asked how long its kernel takes.
//   3. To that comes what the sum of the parts takes: their way to memory and
//      back, and a launch, unless a kernel of its own combines rows of the
//      result anyway and reads the parts instead.
//   4. The fastest stays, and what else was built is erased.
//===----------------------------------------------------------------------===//

#include "SplitInner/PartialSums.h"
#include "stof/CostModel/ContractionShape.h"
#include "stof/CostModel/Counts.h"
#include "stof/CostModel/FeasibleTiles.h"
#include "stof/CostModel/GroupCost.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/FormatVariadic.h"

namespace stof {
#define GEN_PASS_DEF_SPLITINNERPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

constexpr int64_t mostParts = 16;
/// Bytes of what is summed over that kernels take in a step, but for those with
/// the smallest tiles.
constexpr int64_t stepBytes = 128;
/// Steps from which on parts may pay.
constexpr int64_t manySteps = 16;
/// The share of its time that a product has to save: both predictions are off
/// by a tenth.
constexpr double leastGain = 0.15;

using Products = SmallVector<linalg::LinalgOp>;

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-split-inner");
}

std::string inMicroseconds(double time) {
  return llvm::formatv("{0:F1} us", time).str();
}

bool isStatic(linalg::LinalgOp op) {
  return !ShapedType::isDynamicShape(op.getStaticLoopRanges());
}

/// Whether a product of unknown sizes may have few tiles, each of many steps.
bool mayHaveFewTiles(linalg::LinalgOp product, int64_t multiprocessors) {
  SmallVector<int64_t> sizes = product.getStaticLoopRanges();
  ContractionLoops loops = *getContractionLoops(product);
  auto countOf = [&](ArrayRef<unsigned> some) {
    int64_t count = 1;
    for (unsigned loop : some)
      count *= ShapedType::isDynamic(sizes[loop]) ? 0 : sizes[loop];
    return count;
  };
  int64_t tileColumns = HeldTile().columns;
  int64_t columns = countOf(loops.columns);
  return columns > 0 && columns < tileColumns * multiprocessors &&
         countOf(loops.inner) * getElementBytes(product) >=
             manySteps * stepBytes;
}

bool readsOneOf(Operation *op, const llvm::SetVector<Operation *> &sources) {
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return llvm::any_of(read, [&](Value value) {
    return sources.contains(value.getDefiningOp());
  });
}

/// Whether rows of the result, perhaps after elementwise operations, are
/// combined in a kernel apart from that of `product`: its tiles cannot hold
/// them, or it would take longer. That kernel can add up parts as well.
bool isReadApart(linalg::LinalgOp product, StringRef chip) {
  llvm::SetVector<Operation *> members;
  members.insert(product);
  auto costOf = [&](ArrayRef<Operation *> ops) {
    GroupSections sections = planGroup(ops);
    return sections.isLegal()
               ? std::optional(estimateCost(sections, chip).microseconds)
               : std::nullopt;
  };
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode()) {
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

/// What kernels of products take of memory: their operands, each once.
double countOperandBytes(ArrayRef<linalg::LinalgOp> products) {
  llvm::SmallDenseSet<Value> counted;
  double bytes = 0;
  for (linalg::LinalgOp product : products)
    for (Value input : product.getDpsInputs())
      if (counted.insert(input).second)
        bytes += countBytes(input);
  return bytes;
}

KernelWork workOf(ArrayRef<linalg::LinalgOp> products, StringRef chip,
                  double bytes) {
  SmallVector<Operation *> members(products.begin(), products.end());
  return workOfProducts(planGroup(members), chip, static_cast<int64_t>(bytes));
}

/// Products that one kernel computes.
class FewTiles {
public:
  FewTiles(IRRewriter &rewriter, ArrayRef<linalg::LinalgOp> products,
           StringRef chip)
      : rewriter(rewriter), products(products), chip(chip),
        model(getCostModel(chip)) {}

  /// Splits them into as many parts as is fastest, if that is worth it.
  void splitIfFaster();

private:
  /// The loops to divide, so that each part takes whole steps; none where a
  /// product has none.
  SmallVector<unsigned> findLoops(int64_t count) const;
  SmallVector<PartialSums> build(ArrayRef<unsigned> loops, int64_t count);
  /// How long a kernel takes that computes the products in parts.
  double predict(ArrayRef<unsigned> loops, int64_t count);
  /// How long the sums of `count` parts take more than what is there anyway.
  double estimateSums(int64_t count, bool areReadApart) const;
  void refuse(StringRef reason) const;

  IRRewriter &rewriter;
  Products products;
  StringRef chip;
  CostModel model;
};

SmallVector<unsigned> FewTiles::findLoops(int64_t count) const {
  SmallVector<unsigned> loops;
  for (linalg::LinalgOp product : products) {
    int64_t bytes = countInner(product) * getElementBytes(product);
    std::optional<unsigned> loop = findDividedLoop(product, count);
    if (!loop || bytes % (count * stepBytes) != 0)
      return {};
    loops.push_back(*loop);
  }
  return loops;
}

SmallVector<PartialSums> FewTiles::build(ArrayRef<unsigned> loops,
                                         int64_t count) {
  SmallVector<PartialSums> built;
  for (auto [product, loop] : llvm::zip(products, loops))
    built.push_back(buildPartialSums(rewriter, product, loop, count));
  return built;
}

double FewTiles::predict(ArrayRef<unsigned> loops, int64_t count) {
  SmallVector<PartialSums> built = build(loops, count);
  Products parts = llvm::map_to_vector(
      built, [](const PartialSums &sums) { return sums.parts; });
  double time = model.predict(workOf(parts, chip, countOperandBytes(products)));
  for (const PartialSums &sums : built)
    for (Operation *op : llvm::reverse(sums.built))
      rewriter.eraseOp(op);
  return time;
}

double FewTiles::estimateSums(int64_t count, bool areReadApart) const {
  double whole = 0, parts = 0;
  for (linalg::LinalgOp product : products) {
    constexpr double partBytes = 4;
    whole += countBytes(product->getResult(0));
    parts += partBytes * countElements(product) * count;
  }
  // Written and read; where there is a reader, it does not read the whole.
  double time = estimateTraffic(2 * parts);
  return areReadApart ? time - estimateTraffic(whole) : time + launchTime;
}

void FewTiles::refuse(StringRef reason) const {
  for (linalg::LinalgOp product : products)
    remark::missed(product.getLoc(), named("KeptInner"))
        << describeOperation(product) << remark::reason("{0}", reason);
}

void FewTiles::splitIfFaster() {
  KernelWork work = workOf(products, chip, countOperandBytes(products));
  if (work.blocks == 0 || work.blocks >= model.getNumMultiprocessors())
    return;
  double whole = model.predict(work);
  bool areReadApart = llvm::all_of(products, [&](linalg::LinalgOp product) {
    return isReadApart(product, chip);
  });
  int64_t best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t count = 2; count <= mostParts; ++count) {
    SmallVector<unsigned> loops = findLoops(count);
    if (loops.empty())
      continue;
    double time = predict(loops, count) + estimateSums(count, areReadApart);
    if (time < least) {
      least = time;
      best = count;
    }
  }
  if (best == 1)
    return refuse("no number of parts leaves whole steps to each");
  std::string times =
      inMicroseconds(least) + " instead of " + inMicroseconds(whole);
  if (least > (1 - leastGain) * whole)
    return refuse(llvm::formatv("{0} parts would take {1}", best, times).str());
  SmallVector<PartialSums> built = build(findLoops(best), best);
  for (auto [product, sums] : llvm::zip(products, built)) {
    remark::passed(product.getLoc(), named("SplitInner"))
        << describeOperation(product) + " into " + std::to_string(best) +
               " parts: " + times;
    rewriter.replaceOp(product, sums.sum->getResults());
  }
}

struct SplitInnerPass : stof::impl::SplitInnerPassBase<SplitInnerPass> {
  using Base::Base;
  void runOnOperation() override {
    if (chip.empty() && parts == 0)
      return;
    for (Block &block : getOperation().getBody()) {
      // In the order of the first of each.
      llvm::MapVector<Value, Products> ofOperand;
      for (auto op : block.getOps<linalg::LinalgOp>())
        if (op.hasPureTensorSemantics() && !op->use_empty() &&
            getContractionLoops(op) &&
            !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
            GroupPlan(op.getOperation()).isLegal())
          ofOperand[op.getDpsInputOperand(0)->get()].push_back(op);
      for (auto &[operand, products] : ofOperand)
        split(products);
    }
  }

private:
  void split(const Products &products) {
    IRRewriter rewriter(&getContext());
    Products known;
    for (linalg::LinalgOp product : products) {
      if (isStatic(product))
        known.push_back(product);
      else if (parts == 0 &&
               mayHaveFewTiles(product,
                               getCostModel(chip).getNumMultiprocessors()))
        remark::missed(product.getLoc(), named("KeptInner"))
            << describeOperation(product)
            << remark::reason("its sizes are not known");
    }
    if (parts != 0) {
      for (linalg::LinalgOp product : known)
        splitAsAsked(rewriter, product);
      return;
    }
    if (known.empty())
      return;
    SmallVector<Operation *> members(known.begin(), known.end());
    if (planGroup(members).isLegal()) {
      FewTiles(rewriter, known, chip).splitIfFaster();
      return;
    }
    for (linalg::LinalgOp product : known)
      FewTiles(rewriter, product, chip).splitIfFaster();
  }

  void splitAsAsked(IRRewriter &rewriter, linalg::LinalgOp product) {
    if (std::optional<unsigned> loop = findDividedLoop(product, parts))
      rewriter.replaceOp(
          product,
          buildPartialSums(rewriter, product, *loop, parts).sum->getResults());
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Shapes that kernels were measured with on an H200, and the choice between
// them.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/ContractionShape.h"
#include "PrologueWork.h"
#include "stof/CostModel/Counts.h"

#include "llvm/Support/MathExtras.h"
#include <climits>

using namespace mlir;
using namespace stof;

namespace {
/// A shape whose depth is in bytes, and what it is for.
struct Candidate {
  ContractionShape shape;
  enum Kind { Warps, Warpgroups, Single } kind;
};
} // namespace

/// Large tiles with few loads for each product, down to small ones where there
/// are few rows: those are long, so that a step's latency is paid less often.
/// Warpgroups take 64 rows a piece and steps of 128 bytes.
static constexpr Candidate candidates[] = {
    {{128, 128, 128, 8, 1, 3}, Candidate::Warpgroups},
    {{128, 192, 128, 8, 1, 3}, Candidate::Warpgroups},
    {{128, 64, 128, 8, 1, 4}, Candidate::Warpgroups},
    {{64, 128, 128, 4, 1, 4}, Candidate::Warpgroups},
    {{64, 64, 128, 4, 1, 4}, Candidate::Warpgroups},
    {{64, 32, 128, 4, 1, 4}, Candidate::Warpgroups},
    {{128, 128, 128, 2, 2, 3}, Candidate::Warps},
    {{128, 64, 128, 2, 2, 3}, Candidate::Warps},
    {{64, 64, 128, 2, 2, 3}, Candidate::Warps},
    {{64, 32, 128, 2, 2, 4}, Candidate::Warps},
    {{32, 32, 256, 2, 2, 4}, Candidate::Warps},
    {{64, 64, 64, 2, 2, 3}, Candidate::Single},
    {{32, 32, 128, 2, 2, 3}, Candidate::Single},
};
/// One that processors run as well as any other.
static constexpr ContractionShape onProcessors = {64, 64, 64, 2, 2, 2};

/// Depth in bytes and stages of tiles that hold columns together: narrow ones,
/// and wide ones, for which there is less room.
static constexpr int64_t narrowDepth = 128, narrowStages = 3;
static constexpr int64_t wideDepth = 64, wideStages = 2, mostNarrow = 128;

/// The sums that a thread may hold of one product, of several, and where warps
/// multiply and elements move.
static constexpr int64_t mostSums = 128, fewerSums = 64, leastSums = 40;

/// Bytes of the rows of tiles that warpgroups read.
static constexpr int64_t warpgroupRowBytes = 128;

bool stof::isInnerLast(const GroupPlan &plan, OpOperand &operand,
                       ArrayRef<unsigned> outer, ArrayRef<unsigned> inner) {
  Digits digits = *plan.getOperandDigits(operand);
  auto placeOf = [&](ArrayRef<unsigned> run) {
    return llvm::find(digits, run.front());
  };
  // What has one element lies in front (GroupContext::viewTile).
  if (outer.empty() || inner.empty())
    return outer.empty();
  return placeOf(outer) < placeOf(inner);
}

int64_t stof::countPieces(const GroupPlan &plan,
                          const ContractionShape &shape) {
  // Runs of a warp's columns (#tile.mma_runs) belong to one piece.
  constexpr int64_t run = 32;
  if (!plan.getSpread() || shape.columnWarps != 1)
    return 1;
  int64_t columns = 1;
  for (unsigned digit : plan.getColumns())
    columns *= plan.getExtent(digit).size;
  bool divides =
      columns > 0 && columns % run == 0 && shape.columns % columns == 0 &&
      plan.getExtent(*plan.getSpread()).size % (shape.columns / columns) == 0;
  return divides ? shape.columns / columns : 1;
}

bool stof::hasWarpgroups(StringRef chip) { return chip == "sm_90a"; }

static linalg::LinalgOp getProduct(const GroupPlan &plan) {
  return plan.getMainOperation();
}

int64_t stof::getElementBytes(linalg::LinalgOp product) {
  Value operand = product.getDpsInputOperand(0)->get();
  return getElementTypeOrSelf(operand).getIntOrFloatBitWidth() / CHAR_BIT;
}

/// Whether warpgroups can read both operands of tiles of this shape.
static bool areReadable(const GroupPlan &plan, const ContractionShape &shape) {
  int64_t bytes = getElementBytes(getProduct(plan));
  auto isReadable = [&](unsigned number, ArrayRef<unsigned> outer,
                        int64_t tile) {
    return llvm::all_of(plan.getProducts(), [&](linalg::LinalgOp product) {
      bool innerLast = isInnerLast(plan, *product.getDpsInputOperand(number),
                                   outer, plan.getInner());
      return (innerLast ? shape.depth : tile) * bytes % warpgroupRowBytes == 0;
    });
  };
  return bytes < 4 && isReadable(0, plan.getRows(), shape.rows) &&
         isReadable(1, plan.getColumns(), shape.columns);
}

KernelWork stof::workOfProduct(const GroupPlan &plan,
                               const ContractionShape &shape, int64_t bytes) {
  auto count = [&](ArrayRef<unsigned> digits) {
    return static_cast<int64_t>(countOf(plan, digits));
  };
  int64_t elementBytes = getElementBytes(getProduct(plan));
  int64_t stepsOutside = count(plan.getOuterInner());
  ContractionCounts counts;
  counts.batches = count(plan.getBatch());
  counts.rows = count(plan.getRows());
  int64_t columns = count(plan.getColumns());
  if (countPieces(plan, shape) > 1) {
    int64_t spread = plan.getExtent(*plan.getSpread()).size;
    columns *= spread;
    counts.batches /= std::max<int64_t>(spread, 1);
  }
  // Of sizes that are not known, the rows take what all have together.
  auto isStatic = [&](unsigned digit) {
    return plan.getExtent(digit).isStatic();
  };
  if (!llvm::all_of(plan.getBatch(), isStatic) ||
      !llvm::all_of(plan.getRows(), isStatic)) {
    counts.batches = 1;
    counts.rows = std::max(1.0, countElements(getProduct(plan)) / columns);
  }
  // Products of the same rows are one with the columns of all.
  int64_t products = plan.getProducts().size();
  counts.columns = products * llvm::alignTo(columns, shape.columns);
  counts.inner =
      stepsOutside *
      llvm::alignTo(std::max<int64_t>(count(plan.getInner()), 1), shape.depth);
  counts.elementBytes = elementBytes;
  counts.rowTile = shape.rows;
  counts.colTile = products * shape.columns;
  counts.depth = shape.depth;
  counts.warps = shape.getNumWarps();
  counts.stages = shape.stages;
  counts.usesWarpgroups = shape.columnWarps == 1 && areReadable(plan, shape);
  counts.bytes = bytes;
  counts.vectorOps = countPrologueOps(plan, shape);
  KernelWork work = workOf(counts);
  addChainedWork(plan, shape, work);
  return work;
}

/// Whether no size is one of run time, which takes registers of its own.
static bool hasKnownSizes(const GroupPlan &plan) {
  auto isStatic = [&](unsigned digit) {
    return plan.getExtent(digit).isStatic();
  };
  return llvm::all_of(plan.getBatch(), isStatic) &&
         llvm::all_of(plan.getRows(), isStatic) &&
         llvm::all_of(plan.getColumns(), isStatic) &&
         llvm::all_of(plan.getInner(), isStatic) &&
         llvm::all_of(plan.getOuterInner(), isStatic);
}

/// The shapes that the plan leaves; warps multiply any operands of the last.
static std::vector<Candidate> getCandidates(const GroupPlan &plan) {
  std::vector<Candidate> allowed;
  bool isSingle = getElementBytes(getProduct(plan)) > 2;
  int64_t products = plan.getProducts().size();
  if (plan.isHeldWhole()) {
    for (int64_t rowWarps : {8, 4}) {
      HeldTile tile{
          squareRows * rowWarps,
          static_cast<int64_t>(llvm::alignTo(
              std::max<int64_t>(plan.getColumnUnit(), 1), squareColumns)),
          rowWarps, 1};
      if (!isSingle && tile.getSums() * products <= fewerSums)
        allowed.push_back({{tile.rows, tile.columns, warpgroupRowBytes,
                            tile.rowWarps, tile.columnWarps, narrowStages},
                           Candidate::Warpgroups});
    }
  } else {
    for (const Candidate &candidate : candidates) {
      int64_t sums =
          products == 1 && !plan.hasPrologues() ? mostSums : fewerSums;
      bool isMoved = !plan.getElementReads().empty();
      if (candidate.kind == Candidate::Warpgroups)
        sums = isMoved ? fewerSums : sums;
      else if (isMoved)
        sums = leastSums;
      else if (!hasKnownSizes(plan))
        sums = std::min(sums, fewerSums);
      const ContractionShape &shape = candidate.shape;
      HeldTile tile{shape.rows, shape.columns, shape.rowWarps,
                    shape.columnWarps};
      if ((candidate.kind == Candidate::Single) == isSingle &&
          shape.columns % plan.getColumnUnit() == 0 &&
          tile.getSums() * products <= sums)
        allowed.push_back(candidate);
    }
  }
  auto hasNoChained = [&](const Candidate &candidate) {
    ContractionShape shape = candidate.shape;
    shape.depth /= getElementBytes(getProduct(plan));
    return !hasChainedTiles(plan, shape);
  };
  llvm::erase_if(allowed, hasNoChained);
  if (plan.getHeld().empty() && !allowed.empty())
    return allowed;
  // The tiles that the plan proposes, and before each those of fewer rows.
  for (const HeldTile &held : plan.getHeldTiles())
    for (int64_t rows = squareRows; rows <= held.rows; rows *= 2) {
      HeldTile tile = held;
      tile.rows = rows;
      tile.rowWarps = std::min(held.rowWarps, rows / squareRows);
      tile.columnWarps = held.getNumWarps() / tile.rowWarps;
      tile.columns =
          llvm::alignTo(held.columns, squareColumns * tile.columnWarps);
      bool isNarrow = tile.columns <= mostNarrow;
      allowed.push_back(
          {{tile.rows, tile.columns, isNarrow ? narrowDepth : wideDepth,
            tile.rowWarps, tile.columnWarps,
            isNarrow ? narrowStages : wideStages},
           isSingle ? Candidate::Single : Candidate::Warps});
    }
  llvm::erase_if(allowed, hasNoChained);
  return allowed;
}

/// The shape of `candidate` for `plan` on `chip`, if that has what it takes.
static std::optional<ContractionShape>
getShape(const Candidate &candidate, const GroupPlan &plan, StringRef chip) {
  ContractionShape shape = candidate.shape;
  shape.depth /= getElementBytes(getProduct(plan));
  if (candidate.kind == Candidate::Warpgroups &&
      (!hasWarpgroups(chip) || !areReadable(plan, shape)))
    return std::nullopt;
  return shape;
}

/// The fastest shape of `plan` alone, of those with so many warps.
static std::optional<ContractionShape>
chooseAlone(const GroupPlan &plan, ArrayRef<Candidate> allowed, int64_t warps,
            StringRef chip, const CostModel &model) {
  std::optional<ContractionShape> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate &candidate : allowed) {
    std::optional<ContractionShape> shape = getShape(candidate, plan, chip);
    if (!shape || shape->getNumWarps() != warps)
      continue;
    if (double time = model.predict(workOfProduct(plan, *shape, /*bytes=*/0));
        time < least) {
      least = time;
      best = shape;
    }
  }
  return best;
}

/// Whether two candidates are one.
static bool areSame(const Candidate &lhs, const Candidate &rhs) {
  return lhs.kind == rhs.kind && lhs.shape == rhs.shape;
}

/// The shape of so many warps for a processor, if there is one: one serves all,
/// unless columns are held together.
static std::optional<ContractionShape> shapeOnProcessor(const GroupPlan &plan,
                                                        int64_t warps) {
  std::optional<ContractionShape> found;
  if (!plan.isHeldWhole())
    found = onProcessors;
  else
    for (const Candidate &candidate : getCandidates(plan))
      if (candidate.kind != Candidate::Warpgroups &&
          candidate.shape.getNumWarps() == warps)
        found = candidate.shape;
  if (!found || found->getNumWarps() != warps)
    return std::nullopt;
  found->depth /= getElementBytes(getProduct(plan));
  return found;
}

/// Shapes for processors, of which all are as good; none where they are not for
/// one number of warps.
static SmallVector<ContractionShape>
chooseOnProcessor(ArrayRef<const GroupPlan *> plans) {
  for (int64_t warps : {8, 4}) {
    SmallVector<ContractionShape> shapes;
    for (const GroupPlan *plan : plans)
      if (std::optional<ContractionShape> shape =
              shapeOnProcessor(*plan, warps))
        shapes.push_back(*shape);
    if (shapes.size() == plans.size())
      return shapes;
  }
  return {};
}

SmallVector<ContractionShape>
stof::chooseContractionShapes(ArrayRef<const GroupPlan *> plans,
                              StringRef chip) {
  if (chip.empty() || plans.empty())
    return chooseOnProcessor(plans);
  // Shapes were measured on one device; they are ranked by its figures for
  // others as well.
  std::optional<CostModel> model = CostModel::forTarget(chip);
  if (!model)
    model = CostModel::forTarget("sm_80");
  SmallVector<std::vector<Candidate>> allowed;
  std::vector<Candidate> any;
  for (const GroupPlan *plan : plans) {
    allowed.push_back(getCandidates(*plan));
    llvm::append_range(any, allowed.back());
  }
  // One shape for all that may have it; others have as many warps.
  SmallVector<ContractionShape> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate &common : any) {
    SmallVector<ContractionShape> shapes;
    KernelWork work;
    for (auto [plan, own] : llvm::zip(plans, allowed)) {
      std::optional<ContractionShape> shape;
      if (llvm::any_of(own, [&](const Candidate &candidate) {
            return areSame(candidate, common);
          }))
        shape = getShape(common, *plan, chip);
      if (!shape)
        shape =
            chooseAlone(*plan, own, common.shape.getNumWarps(), chip, *model);
      if (!shape)
        break;
      shapes.push_back(*shape);
      work += workOfProduct(*plan, *shape, /*bytes=*/0);
    }
    if (shapes.size() < plans.size())
      continue;
    if (double time = model->predict(work); time < least) {
      least = time;
      best = shapes;
    }
  }
  return best;
}

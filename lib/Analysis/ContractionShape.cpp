//===----------------------------------------------------------------------===//
// Shapes that kernels were measured with on an H200, and the choice between
// them.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/ContractionShape.h"
#include "stof/Analysis/GroupCost.h"

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

/// Bytes of the rows of tiles that warpgroups read.
static constexpr int64_t warpgroupRowBytes = 128;

bool stof::isInnerLast(const GroupPlan &plan, OpOperand &operand,
                       ArrayRef<unsigned> outer) {
  Digits digits = *plan.getOperandDigits(operand);
  auto placeOf = [&](ArrayRef<unsigned> run) {
    return llvm::find(digits, run.front());
  };
  // What has one element lies in front (GroupContext::viewTile).
  if (outer.empty() || plan.getInner().empty())
    return outer.empty();
  return placeOf(outer) < placeOf(plan.getInner());
}

static linalg::LinalgOp getProduct(const GroupPlan &plan) {
  return plan.getMainOperation();
}

static int64_t getElementBytes(const GroupPlan &plan) {
  Value operand = getProduct(plan).getDpsInputOperand(0)->get();
  return getElementTypeOrSelf(operand).getIntOrFloatBitWidth() / CHAR_BIT;
}

static KernelWork workOfShape(const GroupPlan &plan,
                              const ContractionShape &shape,
                              bool usesWarpgroups, int64_t bytes) {
  auto count = [&](ArrayRef<unsigned> digits) {
    return static_cast<int64_t>(countOf(plan, digits));
  };
  int64_t elementBytes = getElementBytes(plan);
  int64_t stepsOutside = count(plan.getOuterInner());
  ContractionCounts counts;
  counts.batches = count(plan.getBatch());
  counts.rows = count(plan.getRows());
  counts.columns = count(plan.getColumns());
  counts.inner =
      stepsOutside *
      llvm::alignTo(std::max<int64_t>(count(plan.getInner()), 1), shape.depth);
  counts.elementBytes = elementBytes;
  counts.rowTile = shape.rows;
  counts.colTile = shape.columns;
  counts.depth = shape.depth;
  counts.warps = shape.getNumWarps();
  counts.stages = shape.stages;
  counts.usesWarpgroups = usesWarpgroups;
  counts.bytes = bytes;
  return workOf(counts);
}

/// Whether warpgroups can read both operands of tiles of this shape.
static bool areReadable(const GroupPlan &plan, const ContractionShape &shape) {
  linalg::LinalgOp product = getProduct(plan);
  int64_t bytes = getElementBytes(plan);
  auto isReadable = [&](unsigned number, ArrayRef<unsigned> outer,
                        int64_t tile) {
    bool innerLast =
        isInnerLast(plan, *product.getDpsInputOperand(number), outer);
    return (innerLast ? shape.depth : tile) * bytes % warpgroupRowBytes == 0;
  };
  return bytes < 4 && isReadable(0, plan.getRows(), shape.rows) &&
         isReadable(1, plan.getColumns(), shape.columns);
}

/// The shape of `candidate` for `plan` on `chip`, if it is one.
static std::optional<ContractionShape>
getShape(const Candidate &candidate, const GroupPlan &plan, StringRef chip) {
  int64_t elementBytes = getElementBytes(plan);
  bool isSingle = elementBytes > 2;
  ContractionShape shape = candidate.shape;
  shape.depth /= elementBytes;
  if ((candidate.kind == Candidate::Single) != isSingle)
    return std::nullopt;
  if (candidate.kind == Candidate::Warpgroups &&
      (chip != "sm_90a" || !areReadable(plan, shape)))
    return std::nullopt;
  return shape;
}

SmallVector<ContractionShape>
stof::chooseContractionShapes(ArrayRef<const GroupPlan *> plans,
                              StringRef chip) {
  SmallVector<ContractionShape> best;
  for (const GroupPlan *plan : plans) {
    best.push_back(onProcessors);
    best.back().depth /= getElementBytes(*plan);
  }
  if (chip.empty() || plans.empty())
    return best;
  // Shapes were measured on one device; they are ranked by its figures for
  // others as well.
  std::optional<CostModel> model = CostModel::forTarget(chip);
  if (!model)
    model = CostModel::forTarget("sm_80");
  double least = std::numeric_limits<double>::infinity();
  // Products of one width of elements have one shape.
  auto isSingle = [](const GroupPlan *plan) {
    return getElementBytes(*plan) > 2;
  };
  bool areMixed =
      llvm::any_of(plans, isSingle) != llvm::all_of(plans, isSingle);
  for (const Candidate &half : candidates)
    for (const Candidate &single : candidates) {
      if (half.kind == Candidate::Single || single.kind != Candidate::Single ||
          (areMixed && half.shape.getNumWarps() != single.shape.getNumWarps()))
        continue;
      SmallVector<ContractionShape> shapes;
      KernelWork work;
      for (const GroupPlan *plan : plans)
        for (const Candidate *candidate : {&half, &single})
          if (std::optional<ContractionShape> shape =
                  getShape(*candidate, *plan, chip)) {
            shapes.push_back(*shape);
            work += workOfShape(*plan, *shape,
                                candidate->kind == Candidate::Warpgroups,
                                /*bytes=*/0);
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

KernelWork stof::workOfProduct(const GroupPlan &plan,
                               const ContractionShape &shape, int64_t bytes) {
  bool usesWarpgroups = shape.columnWarps == 1 && areReadable(plan, shape);
  return workOfShape(plan, shape, usesWarpgroups, bytes);
}

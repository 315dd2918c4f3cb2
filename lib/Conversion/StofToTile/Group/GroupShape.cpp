//===----------------------------------------------------------------------===//
// The tile shapes of the branches of a group.
//===----------------------------------------------------------------------===//

#include "GroupShape.h"
#include "stof/Conversion/KernelBuilder.h"
#include "stof/Support/ElementBytes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Warps of a CTA, and the most that share a row.
static constexpr int64_t usualWarps = 4, mostWarps = 8;
/// Register bytes per thread for elements of a row; as much is left for all
/// other values.
static constexpr int64_t bytesPerThread = 512;
/// Bytes of the widest access.
static constexpr int64_t accessBytes = 16;
/// Minimum bytes of an element in registers.
static constexpr int64_t registerBytes = 4;

/// The product of the extents of dim factors, if all are static.
static std::optional<int64_t> countOf(const GroupPlan &plan,
                                      ArrayRef<unsigned> dimFactors) {
  int64_t count = 1;
  for (unsigned dimFactor : dimFactors) {
    if (!plan.getExtent(dimFactor).isStatic())
      return std::nullopt;
    count *= plan.getExtent(dimFactor).size;
  }
  return count;
}

static bool hasColumns(const GroupPlan &plan, const DimFactors &dimFactors) {
  return llvm::any_of(dimFactors, [&](unsigned dimFactor) {
    return llvm::is_contained(plan.getColumns(), dimFactor);
  });
}

/// Adjacent elements of a thread: one access of the narrowest type.
static int64_t adjacentElements(const GroupPlan &plan) {
  int64_t narrowest = accessBytes;
  for (linalg::LinalgOp op : plan.getOperations()) {
    // An element that loops sequentially occupies a thread alone.
    if (plan.getRole(op) == OperationRole::Map && op.getNumReductionLoops())
      return 1;
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<DimFactors> dimFactors = plan.getOperandDimFactors(operand);
      if (!plan.isInner(operand.get()) && !op.isDpsInit(&operand) &&
          dimFactors && hasColumns(plan, *dimFactors))
        narrowest =
            std::min(narrowest, getElementBytes(operand.get().getType()));
    }
  }
  for (OpResult result : plan.getResults())
    if (hasColumns(plan, plan.getResultDimFactors(result)))
      narrowest = std::min(narrowest, getElementBytes(result.getType()));
  constexpr int64_t most = 8;
  return std::min(accessBytes / narrowest, most);
}

/// Lanes of a warp that share a row of `columns`, each with `elements`.
static int64_t lanesAlong(int64_t columns, int64_t elements) {
  int64_t accesses = llvm::divideCeil(std::max<int64_t>(columns, 1), elements);
  return std::min<int64_t>(llvm::PowerOf2Ceil(accesses), lanesPerWarp);
}

/// The most adjacent elements, up to `most`, that pad a row of `columns` only
/// slightly.
static int64_t fitElements(int64_t columns, int64_t most, int64_t warps) {
  auto padded = [&](int64_t elements) -> int64_t {
    return llvm::alignTo(std::max<int64_t>(columns, 1),
                         elements * warps * lanesAlong(columns, elements));
  };
  int64_t least = padded(1);
  for (int64_t elements = 2; elements <= most; elements *= 2)
    least = std::min(least, padded(elements));
  constexpr int64_t tolerated = 8; // padding of 1/8
  while (most > 1 && padded(most) > least + least / tolerated)
    most /= 2;
  return most;
}

static GroupShape makeShape(MLIRContext *context, int64_t elements,
                            int64_t lanes, int64_t rowWarps,
                            int64_t columnWarps, int64_t steps, bool isWhole) {
  auto layout = tile::BlockedAttr::get(context, {1, elements},
                                       {lanesPerWarp / lanes, lanes},
                                       {rowWarps, columnWarps});
  return {lanesPerWarp / lanes * rowWarps,
          elements * lanes * columnWarps * steps, rowWarps * columnWarps,
          cast<tile::LayoutInterface>(layout), isWhole};
}

static GroupShape shapeOfElements(const GroupPlan &plan, int64_t warps) {
  MLIRContext *context = plan.getMainOperation()->getContext();
  int64_t most = adjacentElements(plan);
  std::optional<int64_t> columns = countOf(plan, plan.getColumns());
  std::optional<int64_t> rows = countOf(plan, plan.getRows());
  if (!columns)
    return makeShape(context, most, lanesPerWarp, 1, warps, 1, false);
  int64_t elements = fitElements(*columns, most, 1);
  int64_t lanes = lanesAlong(*columns, elements);
  int64_t rowWarps = warps;
  if (rows)
    rowWarps = std::min<int64_t>(
        rowWarps, llvm::PowerOf2Ceil(llvm::divideCeil(
                      std::max<int64_t>(*rows, 1), lanesPerWarp / lanes)));
  return makeShape(context, elements, lanes, rowWarps, warps / rowWarps, 1,
                   false);
}

/// Peak register bytes per column: loaded tiles are live from first to last
/// use, computed ones from their definition.
static int64_t bytesOfColumn(const GroupPlan &plan) {
  struct Life {
    int64_t first, last, bytes;
  };
  llvm::MapVector<Value, Life> lives;
  int64_t number = 0, most = 0;
  auto registersOf = [](Type type) {
    return std::max(getElementBytes(type), registerBytes);
  };
  for (linalg::LinalgOp op : plan.getOperations()) {
    for (OpOperand &operand : op->getOpOperands()) {
      std::optional<DimFactors> dimFactors = plan.getOperandDimFactors(operand);
      if (!dimFactors || !hasColumns(plan, *dimFactors) ||
          op.isDpsInit(&operand))
        continue;
      Value tile = plan.isInner(operand.get()) ? Value(getOrigin(operand.get()))
                                               : operand.get();
      int64_t bytes = registersOf(tile.getType());
      lives.insert({tile, Life{number, number, bytes}});
      lives[tile].last = number;
    }
    for (OpResult result : op->getResults())
      lives.insert(
          {result, Life{number, number, registersOf(result.getType())}});
    ++number;
  }
  for (OpResult result : plan.getResults())
    lives[result].last = number;
  for (int64_t at = 0; at < number; ++at) {
    int64_t bytes = 0;
    for (auto &[tile, life] : lives)
      if (life.first <= at && at <= life.last)
        bytes += life.bytes;
    most = std::max(most, bytes);
  }
  return most;
}

static GroupShape shapeOfRows(const GroupPlan &plan,
                              std::optional<int64_t> given) {
  MLIRContext *context = plan.getMainOperation()->getContext();
  int64_t most = adjacentElements(plan);
  std::optional<int64_t> columns = countOf(plan, plan.getColumns());
  int64_t usual = given.value_or(usualWarps);
  // Empty rows take the loop, which loads nothing then.
  if (!columns || *columns == 0)
    return makeShape(context, most, lanesPerWarp, usual, 1, 1, false);
  int64_t bytes = bytesOfColumn(plan);
  for (int64_t warps = 1; warps <= given.value_or(mostWarps); warps *= 2) {
    int64_t elements = fitElements(*columns, most, warps);
    int64_t lanes = lanesAlong(*columns, elements);
    int64_t unit = elements * lanes * warps;
    int64_t steps = llvm::divideCeil(std::max<int64_t>(*columns, 1), unit);
    if (steps * elements * bytes <= bytesPerThread)
      return makeShape(context, elements, lanes,
                       std::max<int64_t>(usual / warps, 1), warps, steps,
                       /*isWhole=*/true);
  }
  return makeShape(context, most, lanesPerWarp, 1, usual, 1, false);
}

/// The layout of the epilogue: contiguous columns per thread where BLOCK_N
/// allows it, for wide stores.
static tile::LayoutInterface layoutOf(MLIRContext *context,
                                      const MatmulTile &shape) {
  auto contiguous =
      tile::MmaRunsAttr::get(context, shape.rowWarps, shape.columnWarps);
  if (shape.columns % contiguous.getUnitAlong(1) == 0)
    return contiguous;
  return tile::MmaAttr::get(context, shape.rowWarps, shape.columnWarps);
}

static GroupShape shapeOfContraction(MLIRContext *context,
                                     const MatmulTile &shape) {
  return {shape.rows,          shape.columns,
          shape.getNumWarps(), layoutOf(context, shape),
          /*isWhole=*/false,   shape};
}

SmallVector<GroupShape> stof::shapesOfGroup(const GroupBranches &branches,
                                            const TargetInfo *target) {
  auto isContraction = [](const GroupPlan &plan) {
    return plan.getTemplate() == GroupTemplate::Contraction;
  };
  SmallVector<const GroupPlan *> contractions;
  for (const GroupPlan &plan : branches.getBranches())
    if (isContraction(plan))
      contractions.push_back(&plan);
  // Contractions come first. They fix the number of warps; the other templates
  // have tiles for any.
  SmallVector<GroupShape> shapes;
  for (const MatmulTile &shape : chooseMatmulTiles(contractions, target))
    shapes.push_back(shapeOfContraction(
        contractions.front()->getMainOperation()->getContext(), shape));
  assert(shapes.size() == contractions.size() &&
         "planGroup refuses contractions without tiles");
  auto rest = branches.getBranches().drop_front(shapes.size());
  int64_t warps = shapes.empty() ? usualWarps : shapes.front().warps;
  if (shapes.empty())
    for (const GroupPlan &plan : rest)
      if (plan.getTemplate() == GroupTemplate::Rows)
        warps = std::max(warps, shapeOfRows(plan, std::nullopt).warps);
  for (const GroupPlan &plan : rest)
    shapes.push_back(plan.getTemplate() == GroupTemplate::Rows
                         ? shapeOfRows(plan, warps)
                         : shapeOfElements(plan, warps));
  return shapes;
}

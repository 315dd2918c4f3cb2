//===----------------------------------------------------------------------===//
// The tiles of the branches of a group.
//===----------------------------------------------------------------------===//

#include "GroupTiles.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Support/WarpShape.h"

#include "llvm/ADT/MapVector.h"
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

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

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

/// The columns of a row, if a row has a known length that is not 0: empty rows
/// take the loop, which loads nothing then.
static std::optional<int64_t> countColumns(const GroupPlan &plan) {
  std::optional<int64_t> columns = countOf(plan, plan.getColumns());
  return columns == 0 && plan.getTemplate() == GroupTemplate::Rows
             ? std::nullopt
             : columns;
}

int64_t stof::countLanes(const GroupPlan &plan, const ThreadTile &tile) {
  std::optional<int64_t> columns = countColumns(plan);
  return columns && (plan.getTemplate() != GroupTemplate::Rows ||
                     countSteps(plan, tile))
             ? lanesAlong(*columns, tile.elements)
             : lanesPerWarp;
}

std::optional<int64_t> stof::countSteps(const GroupPlan &plan,
                                        const ThreadTile &tile) {
  std::optional<int64_t> columns = countColumns(plan);
  if (!columns || plan.getTemplate() != GroupTemplate::Rows)
    return std::nullopt;
  int64_t unit =
      tile.elements * lanesAlong(*columns, tile.elements) * tile.columnWarps;
  int64_t steps = llvm::divideCeil(*columns, unit);
  if (steps * tile.elements * bytesOfColumn(plan) > bytesPerThread)
    return std::nullopt;
  return steps;
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

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

static ThreadTile chooseElementsTile(const GroupPlan &plan, int64_t warps) {
  int64_t most = adjacentElements(plan);
  std::optional<int64_t> columns = countOf(plan, plan.getColumns());
  std::optional<int64_t> rows = countOf(plan, plan.getRows());
  if (!columns)
    return {most, 1, warps};
  int64_t elements = fitElements(*columns, most, 1);
  int64_t rowWarps = warps;
  if (rows) {
    int64_t rowsPerWarp = lanesPerWarp / lanesAlong(*columns, elements);
    rowWarps = std::min<int64_t>(
        rowWarps, llvm::PowerOf2Ceil(llvm::divideCeil(
                      std::max<int64_t>(*rows, 1), rowsPerWarp)));
  }
  return {elements, rowWarps, warps / rowWarps};
}

static ThreadTile chooseRowsTile(const GroupPlan &plan,
                                 std::optional<int64_t> given) {
  int64_t most = adjacentElements(plan);
  int64_t usual = given.value_or(usualWarps);
  std::optional<int64_t> columns = countColumns(plan);
  if (!columns)
    return {most, usual, 1};
  for (int64_t warps = 1; warps <= given.value_or(mostWarps); warps *= 2) {
    ThreadTile tile{fitElements(*columns, most, warps),
                    std::max<int64_t>(usual / warps, 1), warps};
    if (countSteps(plan, tile))
      return tile;
  }
  return {most, 1, usual};
}

static SmallVector<const GroupPlan *>
getContractions(const GroupBranches &branches) {
  SmallVector<const GroupPlan *> contractions;
  for (const GroupPlan &plan : branches.getBranches())
    if (plan.getTemplate() == GroupTemplate::Contraction)
      contractions.push_back(&plan);
  return contractions;
}

/// Adds the tiles of the branches without contractions, with `warps` warps.
static void addThreadTiles(const GroupBranches &branches, int64_t warps,
                           BranchTiles &tiles) {
  for (const GroupPlan &plan : branches.getBranches().drop_front(tiles.size()))
    tiles.push_back(plan.getTemplate() == GroupTemplate::Rows
                        ? chooseRowsTile(plan, warps)
                        : chooseElementsTile(plan, warps));
}

/// The tiles of all branches if contractions have those of `matmuls`, which
/// come first and fix the number of warps; the other templates have tiles for
/// any.
static BranchTiles completeTiles(const GroupBranches &branches,
                                 ArrayRef<MatmulTile> matmuls) {
  BranchTiles tiles(matmuls.begin(), matmuls.end());
  addThreadTiles(branches, matmuls.front().getNumWarps(), tiles);
  return tiles;
}

BranchTiles stof::chooseTiles(const GroupBranches &branches,
                              const TargetInfo *target) {
  SmallVector<const GroupPlan *> contractions = getContractions(branches);
  if (!contractions.empty()) {
    SmallVector<MatmulTile> matmuls = chooseMatmulTiles(contractions, target);
    assert(matmuls.size() == contractions.size() &&
           "planGroup refuses contractions without tiles");
    return completeTiles(branches, matmuls);
  }
  int64_t warps = usualWarps;
  for (const GroupPlan &plan : branches.getBranches())
    if (plan.getTemplate() == GroupTemplate::Rows)
      warps = std::max(warps, chooseRowsTile(plan, std::nullopt).getNumWarps());
  BranchTiles tiles;
  addThreadTiles(branches, warps, tiles);
  return tiles;
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

/// The tiles of `plan` with `warps` warps: every number of adjacent elements,
/// and every grid of warps.
static std::vector<ThreadTile> listThreadTiles(const GroupPlan &plan,
                                               int64_t warps) {
  std::vector<ThreadTile> listed;
  for (int64_t elements = adjacentElements(plan); elements > 0; elements /= 2)
    for (int64_t columnWarps = 1; columnWarps <= warps; columnWarps *= 2)
      listed.push_back({elements, warps / columnWarps, columnWarps});
  return listed;
}

std::vector<BranchTiles> stof::listTiles(const GroupBranches &branches,
                                         const TargetInfo *target) {
  std::vector<BranchTiles> listed;
  SmallVector<const GroupPlan *> contractions = getContractions(branches);
  if (!contractions.empty()) {
    for (ArrayRef<MatmulTile> matmuls : listMatmulTiles(contractions, target))
      listed.push_back(completeTiles(branches, matmuls));
    return listed;
  }
  listed.push_back(chooseTiles(branches, target));
  for (int64_t warps = 1; warps <= mostWarps; warps *= 2) {
    BranchTiles usual;
    addThreadTiles(branches, warps, usual);
    // One branch differs from the usual choice at a time.
    for (auto [number, plan] : llvm::enumerate(branches.getBranches()))
      for (const ThreadTile &tile : listThreadTiles(plan, warps)) {
        BranchTiles tiles(usual);
        tiles[number] = tile;
        if (!llvm::is_contained(listed, tiles))
          listed.push_back(tiles);
      }
  }
  return listed;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

ArrayAttr stof::toAttribute(MLIRContext *context, ArrayRef<BranchTile> tiles) {
  auto convert = [&](const BranchTile &tile) -> Attribute {
    if (const auto *matmul = std::get_if<MatmulTile>(&tile))
      return matmul->toAttribute(context);
    const auto &threads = std::get<ThreadTile>(tile);
    return ThreadTileAttr::get(context, threads.elements, threads.rowWarps,
                               threads.columnWarps);
  };
  return ArrayAttr::get(context, llvm::map_to_vector(tiles, convert));
}

BranchTiles stof::fromAttribute(ArrayAttr attribute) {
  auto convert = [](Attribute tile) -> BranchTile {
    if (auto matmul = dyn_cast<MatmulTileAttr>(tile))
      return MatmulTile::fromAttribute(matmul);
    auto threads = cast<ThreadTileAttr>(tile);
    return ThreadTile{threads.getElements(), threads.getRowWarps(),
                      threads.getColumnWarps()};
  };
  return llvm::map_to_vector(attribute, convert);
}

FailureOr<BranchTiles> stof::getTiles(GroupOp group,
                                      const GroupBranches &branches,
                                      const TargetInfo *target) {
  ArrayAttr given = group.getTilesAttr();
  if (!given)
    return chooseTiles(branches, target);
  BranchTiles tiles = fromAttribute(given);
  if (llvm::is_contained(listTiles(branches, target), tiles))
    return tiles;
  return group.emitOpError()
         << "cannot be compiled: expects tiles that `stof-list-schedules` "
            "prints for "
         << (target ? target->name : "the CPU") << ", but got " << given;
}

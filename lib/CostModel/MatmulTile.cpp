//===----------------------------------------------------------------------===//
// Candidate tiles, measured on an H200, and the choice among them.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/MatmulTile.h"
#include "EpilogueWork.h"
#include "PrologueWork.h"
#include "stof/CostModel/Counts.h"
#include "stof/Fusion/TensorView.h"
#include "stof/Support/ContiguousMemory.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Warpgroup.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Any shape performs alike on the CPU.
static constexpr MatmulTileChoice cpuTile = {
    64, 64, 64, 2, 2, 2, MmaKind::Warps};

/// K tile in bytes and stages of full-N tiles: narrow ones, and wide ones,
/// which leave less shared memory.
static constexpr int64_t narrowDepth = 128, narrowStages = 3;
static constexpr int64_t wideDepth = 64, wideStages = 2, mostNarrow = 128;

/// Limits of accumulators per thread: for one contraction, or several of which
/// other warps load the operands; for several; and for mma.sync kernels that
/// move elements.
static constexpr int64_t maxAccumulators = 128, fewerAccumulators = 64,
                         leastAccumulators = 40;

/// Of a pipelined mainloop.
static constexpr int64_t fewestStages = 2, mostStages = 6;

/// The row size of swizzled wgmma operands, in bytes.
static constexpr int64_t warpgroupRowBytes = 128;

bool stof::isKContiguous(const GroupPlan &plan, OpOperand &operand,
                         ArrayRef<unsigned> outer,
                         ArrayRef<unsigned> reduction) {
  DimFactors dimFactors = *plan.getOperandDimFactors(operand);
  auto positionOf = [&](ArrayRef<unsigned> contiguous) {
    return llvm::find(dimFactors, contiguous.front());
  };
  // An axis without dim factors is outermost (GroupContext::viewTile).
  if (outer.empty() || reduction.empty())
    return outer.empty();
  return positionOf(outer) < positionOf(reduction);
}

int64_t stof::countFoldedBatch(const GroupPlan &plan, const MatmulTile &shape) {
  // The contiguous columns of a warp (#tile.mma_runs) must not span two values
  // of the folded batch.
  constexpr int64_t contiguous = 32;
  if (!plan.getFoldedBatch() || shape.columnWarps != 1)
    return 1;
  int64_t columns = 1;
  for (unsigned dimFactor : plan.getColumns())
    columns *= plan.getExtent(dimFactor).size;
  bool divides =
      columns > 0 && columns % contiguous == 0 &&
      shape.columns % columns == 0 &&
      plan.getExtent(*plan.getFoldedBatch()).size % (shape.columns / columns) ==
          0;
  return divides ? shape.columns / columns : 1;
}

static linalg::LinalgOp getContraction(const GroupPlan &plan) {
  return plan.getMainOperation();
}

int64_t stof::getOperandBytes(linalg::LinalgOp contraction) {
  return getElementBytes(contraction.getDpsInputOperand(0)->get().getType());
}

/// The tile of `choice` for the operands of `plan`.
static MatmulTile getTile(const MatmulTileChoice &choice,
                          const GroupPlan &plan) {
  assert(choice.depthBytes % getOperandBytes(getContraction(plan)) == 0 &&
         "K tiles are whole elements");
  return {choice.rows,
          choice.columns,
          choice.depthBytes / getOperandBytes(getContraction(plan)),
          choice.rowWarps,
          choice.columnWarps,
          choice.stages,
          choice.producers,
          choice.resident,
          choice.groups};
}

/// Whether wgmma can read both operands of tiles of this shape.
static bool areReadable(const GroupPlan &plan, const MatmulTile &shape) {
  int64_t bytes = getOperandBytes(getContraction(plan));
  auto isReadable = [&](unsigned number, ArrayRef<unsigned> outer,
                        int64_t tile) {
    return llvm::all_of(
        plan.getContractions(), [&](linalg::LinalgOp contraction) {
          bool kContiguous =
              isKContiguous(plan, *contraction.getDpsInputOperand(number),
                            outer, plan.getKFactors());
          return (kContiguous ? shape.blockK : tile) * bytes %
                     warpgroupRowBytes ==
                 0;
        });
  };
  return bytes < 4 && isReadable(0, plan.getRows(), shape.rows) &&
         isReadable(1, plan.getColumns(), shape.columns);
}

/// Whether `operand` is contiguous in memory, a whole tensor or leading rows of
/// one, with rows of 16 bytes each, of which a tensor map can bring boxes.
static bool isMapped(const GroupPlan &plan, OpOperand &operand,
                     ArrayRef<unsigned> outer) {
  constexpr int64_t rowUnit = 16;
  std::optional<MemRefType> memory = getMemoryType(operand.get());
  if (!plan.getPrologue(operand).empty() || !memory)
    return false;
  ArrayRef<unsigned> contiguous =
      isKContiguous(plan, operand, outer, plan.getKFactors())
          ? plan.getKFactors()
          : outer;
  int64_t bytes = getElementBytes(*memory);
  std::optional<int64_t> offset = getContiguousOffset(*memory);
  return offset && *offset * bytes % rowUnit == 0 &&
         areStatic(plan, contiguous) &&
         static_cast<int64_t>(countOf(plan, contiguous)) * bytes % rowUnit == 0;
}

/// Whether one warp can load the K tiles of `choice`, since tensor maps bring
/// them; a single one needs no mainloop.
static bool areMapped(const GroupPlan &plan, const MatmulTileChoice &choice) {
  bool isSingle = areStatic(plan, plan.getKFactors()) &&
                  plan.getOuterKFactors().empty() &&
                  static_cast<int64_t>(countOf(plan, plan.getKFactors())) <=
                      getTile(choice, plan).blockK;
  return !isSingle &&
         llvm::all_of(
             plan.getContractions(), [&](linalg::LinalgOp contraction) {
               return isMapped(plan, *contraction.getDpsInputOperand(0),
                               plan.getRows()) &&
                      isMapped(plan, *contraction.getDpsInputOperand(1),
                               plan.getColumns());
             });
}

KernelWork stof::countMatmulWork(const GroupPlan &plan, const MatmulTile &shape,
                                 int64_t bytes) {
  auto count = [&](ArrayRef<unsigned> dimFactors) {
    return static_cast<int64_t>(countOf(plan, dimFactors));
  };
  int64_t elementBytes = getOperandBytes(getContraction(plan));
  int64_t stepsOutside = count(plan.getOuterKFactors());
  MatmulCounts counts;
  counts.batches = count(plan.getBatch());
  counts.rows = count(plan.getRows());
  int64_t columns = count(plan.getColumns());
  if (countFoldedBatch(plan, shape) > 1) {
    int64_t foldedBatch = plan.getExtent(*plan.getFoldedBatch()).size;
    columns *= foldedBatch;
    counts.batches /= std::max<int64_t>(foldedBatch, 1);
  }
  // The rows stand for all dynamic sizes.
  if (!areStatic(plan, plan.getBatch()) || !areStatic(plan, plan.getRows())) {
    counts.batches = 1;
    counts.rows = std::max(1.0, countElements(getContraction(plan)) / columns);
  }
  // Contractions of the same rows count as one with the columns of all.
  int64_t contractions = plan.getContractions().size();
  counts.columns = contractions * llvm::alignTo(columns, shape.columns);
  counts.reduction =
      stepsOutside *
      llvm::alignTo(std::max<int64_t>(count(plan.getKFactors()), 1),
                    shape.blockK);
  counts.elementBytes = elementBytes;
  counts.rowTile = shape.rows;
  counts.colTile = contractions * shape.columns;
  counts.blockK = shape.blockK;
  counts.warps = shape.getNumWarps();
  counts.stages = shape.stages;
  counts.producers = shape.producers;
  counts.resident = shape.resident;
  counts.groups = shape.groups;
  counts.usesWarpgroups = shape.columnWarps == 1 && areReadable(plan, shape);
  counts.bytes = bytes;
  counts.vectorOps = countPrologueOps(plan, shape);
  counts.epilogue = countEpilogue(plan);
  KernelWork work = workOf(counts);
  addBackToBackWork(plan, shape, work);
  return work;
}

/// The shapes that the plan allows, with at most `mostOfSeveral` accumulators
/// per thread if it has several contractions. The last ones use mma.sync, which
/// takes any operands.
static std::vector<MatmulTileChoice>
getChoices(const GroupPlan &plan, ArrayRef<MatmulTileChoice> menu,
           int64_t mostOfSeveral = fewerAccumulators) {
  std::vector<MatmulTileChoice> allowed;
  bool isSingle = getOperandBytes(getContraction(plan)) > 2;
  int64_t contractions = plan.getContractions().size();
  if (plan.needsFullN()) {
    for (int64_t rowWarps : {8, 4}) {
      FullNTile tile{
          mmaRows * rowWarps,
          static_cast<int64_t>(llvm::alignTo(
              std::max<int64_t>(plan.getColumnUnit(), 1), mmaColumns)),
          rowWarps, 1};
      if (!isSingle &&
          tile.getAccumulators() * contractions <= fewerAccumulators)
        allowed.push_back({tile.rows, tile.columns, warpgroupRowBytes,
                           tile.rowWarps, tile.columnWarps, narrowStages,
                           MmaKind::Warpgroups});
    }
  } else {
    for (MatmulTileChoice choice : menu) {
      // Further right operands take stages, not shared memory: the menu has
      // as much of it as is fast.
      choice.stages = std::max(
          fewestStages, choice.stages * (choice.rows + choice.columns) /
                            (choice.rows + contractions * choice.columns));
      int64_t limit = plan.hasPrologues() ? fewerAccumulators
                      : contractions == 1 ? maxAccumulators
                                          : mostOfSeveral;
      bool isMoved = !plan.getElementReads().empty();
      if (choice.kind == MmaKind::Warpgroups)
        limit = isMoved ? fewerAccumulators : limit;
      else if (isMoved)
        limit = leastAccumulators;
      // Dynamic sizes occupy registers.
      else if (!areAllStatic(plan))
        limit = std::min(limit, fewerAccumulators);
      FullNTile tile{choice.rows, choice.columns, choice.rowWarps,
                     choice.columnWarps};
      if ((choice.kind == MmaKind::Single) == isSingle &&
          choice.columns % plan.getColumnUnit() == 0 &&
          tile.getAccumulators() * contractions <= limit)
        allowed.push_back(choice);
    }
  }
  auto hasNoBackToBack = [&](const MatmulTileChoice &choice) {
    return !hasBackToBackTiles(plan, getTile(choice, plan));
  };
  llvm::erase_if(allowed, hasNoBackToBack);
  if (plan.getUnsplitColumns().empty() && !allowed.empty())
    return allowed;
  // The full-N tiles of the plan, each preceded by those with fewer rows.
  for (const FullNTile &proposed : plan.getFullNTiles())
    for (int64_t rows = mmaRows; rows <= proposed.rows; rows *= 2) {
      FullNTile tile = proposed;
      tile.rows = rows;
      tile.rowWarps = std::min(proposed.rowWarps, rows / mmaRows);
      tile.columnWarps = proposed.getNumWarps() / tile.rowWarps;
      tile.columns =
          llvm::alignTo(proposed.columns, mmaColumns * tile.columnWarps);
      bool isNarrow = tile.columns <= mostNarrow;
      allowed.push_back({tile.rows, tile.columns,
                         isNarrow ? narrowDepth : wideDepth, tile.rowWarps,
                         tile.columnWarps, isNarrow ? narrowStages : wideStages,
                         isSingle ? MmaKind::Single : MmaKind::Warps});
    }
  llvm::erase_if(allowed, hasNoBackToBack);
  return allowed;
}

/// The tile of `choice` on `target`, if the target and the operands support it.
static std::optional<MatmulTile>
getSupportedTile(const MatmulTileChoice &choice, const GroupPlan &plan,
                 const TargetInfo &target) {
  MatmulTile tile = getTile(choice, plan);
  if (!target.supports(choice.kind) ||
      (choice.kind == MmaKind::Warpgroups && !areReadable(plan, tile)))
    return std::nullopt;
  return tile;
}

/// The fastest tile of `plan` alone among those with `warps` warps, all of
/// which load.
static std::optional<MatmulTile>
chooseAlone(const GroupPlan &plan, ArrayRef<MatmulTileChoice> allowed,
            int64_t warps, const TargetInfo &target, const CostModel &model) {
  std::optional<MatmulTile> best;
  double least = std::numeric_limits<double>::infinity();
  for (const MatmulTileChoice &choice : allowed) {
    std::optional<MatmulTile> shape = getSupportedTile(choice, plan, target);
    if (!shape || choice.producers > 0 || shape->getNumWarps() != warps)
      continue;
    if (double time = model.predict(countMatmulWork(plan, *shape, /*bytes=*/0));
        time < least) {
      least = time;
      best = shape;
    }
  }
  return best;
}

/// The CPU tile with `warps` warps, if there is one: the same for all plans but
/// those that need a full-N tile.
static std::optional<MatmulTile> getCPUTile(const GroupPlan &plan,
                                            int64_t warps) {
  std::vector<MatmulTileChoice> choices{cpuTile};
  if (plan.needsFullN())
    choices = getChoices(plan, getDefaultTarget().matmulTiles);
  std::optional<MatmulTile> found;
  for (const MatmulTileChoice &choice : choices)
    if (choice.kind != MmaKind::Warpgroups && choice.getNumWarps() == warps)
      found = getTile(choice, plan);
  return found;
}

/// CPU tiles with a common number of warps; empty if there are none.
static SmallVector<MatmulTile>
chooseCPUTiles(ArrayRef<const GroupPlan *> plans) {
  for (int64_t warps : {8, 4}) {
    SmallVector<MatmulTile> shapes;
    for (const GroupPlan *plan : plans)
      if (std::optional<MatmulTile> shape = getCPUTile(*plan, warps))
        shapes.push_back(*shape);
    if (shapes.size() == plans.size())
      return shapes;
  }
  return {};
}

/// Calls `visit` with the tiles that `plans` have for each of their choices, in
/// order: the same tile where they allow it, else one with as many warps.
static void visitTiles(ArrayRef<const GroupPlan *> plans,
                       ArrayRef<std::vector<MatmulTileChoice>> allowed,
                       const TargetInfo &target,
                       llvm::function_ref<void(ArrayRef<MatmulTile>)> visit) {
  CostModel model(target.getFigures());
  for (const std::vector<MatmulTileChoice> &choices : allowed)
    for (const MatmulTileChoice &common : choices) {
      SmallVector<MatmulTile> shapes;
      for (auto [plan, own] : llvm::zip(plans, allowed)) {
        std::optional<MatmulTile> shape;
        if (llvm::is_contained(own, common))
          shape = getSupportedTile(common, *plan, target);
        // The roles of a kernel are those of all of its branches.
        if (!shape && common.producers == 0)
          shape = chooseAlone(*plan, own, common.getNumWarps(), target, model);
        if (!shape)
          break;
        shapes.push_back(*shape);
      }
      if (shapes.size() == plans.size())
        visit(shapes);
    }
}

/// The CTAs of `choice` that fit on an SM.
static int64_t countResident(const MatmulTileChoice &choice,
                             int64_t contractions,
                             const DeviceFigures &figures) {
  // Of a thread in addition to its accumulators; and of a CTA, for barriers,
  // the alignment of buffers, and what the system reserves.
  constexpr int64_t registers = 44, reserved = 2304;
  int64_t accumulators =
      contractions * choice.rows * choice.columns / choice.getNumWarps();
  int64_t perWarp = accumulators + lanesPerWarp * registers;
  int64_t all = perWarp * choice.getNumWarps() * choice.groups;
  // Whole warpgroups of producers give theirs back.
  bool areExchanged =
      choice.groups > 1 && choice.producers % tile::warpsPerGroup == 0;
  all += choice.producers *
         (areExchanged ? lanesPerWarp * tile::leastRegisters : perWarp);
  int64_t bytes = choice.stages * choice.depthBytes *
                  (choice.rows + contractions * choice.columns);
  return std::min(figures.registers / all,
                  figures.sharedCapacity / (bytes + reserved));
}

/// Adds `choice` with the most stages with which `resident` CTAs fit on an SM,
/// if they do: a power of two, which the stage of a tile is found fastest with,
/// or three rather than two.
static void addStaged(MatmulTileChoice choice, int64_t contractions,
                      int64_t resident, const DeviceFigures &figures,
                      std::vector<MatmulTileChoice> &choices) {
  for (int64_t stages : {8, 4, 3, 2}) {
    choice.stages = stages;
    if (countResident(choice, contractions, figures) >= resident)
      return choices.push_back(choice);
  }
}

/// Adds the choices with warps that load: for each tile, or for those that a
/// CTA computes one after another, or in turns of groups. Loads run ahead as
/// far as the shared memory of their CTA allows, also into the next tile.
static void addProducers(const GroupPlan &plan, const TargetInfo &target,
                         std::vector<MatmulTileChoice> &choices) {
  constexpr int64_t mostResident = 3, mostGroups = 3;
  int64_t contractions = plan.getContractions().size();
  const DeviceFigures &figures = target.getFigures();
  std::vector<MatmulTileChoice> others;
  for (MatmulTileChoice choice :
       getChoices(plan, target.matmulTiles, maxAccumulators)) {
    if (choice.kind != MmaKind::Warpgroups || !areMapped(plan, choice))
      continue;
    choice.producers = 1;
    int64_t together = countResident(choice, contractions, figures);
    addStaged(choice, contractions, std::max<int64_t>(together, 1), figures,
              others);
    for (choice.resident = 1; choice.resident <= mostResident;
         ++choice.resident)
      addStaged(choice, contractions, choice.resident, figures, others);
    choice.resident = 1;
    for (choice.groups = 2; choice.groups <= mostGroups; ++choice.groups)
      for (int64_t producers : {tile::warpsPerGroup, int64_t{1}}) {
        choice.producers = producers;
        addStaged(choice, contractions, /*resident=*/1, figures, others);
      }
    // One warpgroup computes what several do otherwise: so many registers are
    // left only by producers that give theirs back.
    if (choice.rowWarps == tile::warpsPerGroup)
      continue;
    choice.rowWarps = choice.producers = tile::warpsPerGroup;
    choice.groups = 2;
    addStaged(choice, contractions, /*resident=*/1, figures, others);
  }
  llvm::append_range(choices, others);
}

/// The choices of each of `plans`.
static SmallVector<std::vector<MatmulTileChoice>>
getAllChoices(ArrayRef<const GroupPlan *> plans, const TargetInfo &target) {
  auto all = llvm::map_to_vector(plans, [&](const GroupPlan *plan) {
    return getChoices(*plan, target.matmulTiles);
  });
  for (auto [plan, choices] : llvm::zip_equal(plans, all))
    addProducers(*plan, target, choices);
  return all;
}

SmallVector<MatmulTile>
stof::chooseMatmulTiles(ArrayRef<const GroupPlan *> plans,
                        const TargetInfo *target) {
  if (!target || plans.empty())
    return chooseCPUTiles(plans);
  CostModel model(target->getFigures());
  SmallVector<MatmulTile> best;
  double least = std::numeric_limits<double>::infinity();
  visitTiles(plans, getAllChoices(plans, *target), *target,
             [&](ArrayRef<MatmulTile> shapes) {
               KernelWork work;
               for (auto [plan, shape] : llvm::zip(plans, shapes))
                 work += countMatmulWork(*plan, shape, /*bytes=*/0);
               // The kernel is the one without persistent CTAs.
               if (work.resident > 0 && !model.sharesTiles(work))
                 return;
               if (double time = model.predict(work); time < least) {
                 least = time;
                 best.assign(shapes.begin(), shapes.end());
               }
             });
  return best;
}

/// Adds `choice` with every other K tile and number of stages with which its
/// operands fit in the shared memory of `target`.
static void addDepths(const MatmulTileChoice &choice, const GroupPlan &plan,
                      const TargetInfo &target,
                      std::vector<MatmulTileChoice> &all) {
  constexpr int64_t depths[] = {64, 128, 256};
  int64_t contractions = plan.getContractions().size();
  for (int64_t depth : depths) {
    if (choice.kind == MmaKind::Warpgroups && depth != warpgroupRowBytes)
      continue;
    for (int64_t stages = fewestStages; stages <= mostStages; ++stages) {
      MatmulTileChoice other = choice;
      other.depthBytes = depth;
      other.stages = stages;
      int64_t bytes =
          stages * depth * (choice.rows + contractions * choice.columns);
      bool isResident = countResident(other, contractions,
                                      target.getFigures()) >= other.resident;
      if (bytes <= target.getSharedBytes() && isResident &&
          !llvm::is_contained(all, other) &&
          hasBackToBackTiles(plan, getTile(other, plan)))
        all.push_back(other);
    }
  }
}

std::vector<SmallVector<MatmulTile>>
stof::listMatmulTiles(ArrayRef<const GroupPlan *> plans,
                      const TargetInfo *target) {
  if (!target || plans.empty())
    return {chooseCPUTiles(plans)};
  SmallVector<std::vector<MatmulTileChoice>> allowed =
      getAllChoices(plans, *target);
  for (auto [plan, choices] : llvm::zip(plans, allowed))
    for (const MatmulTileChoice &choice :
         std::vector<MatmulTileChoice>(choices))
      addDepths(choice, *plan, *target, choices);
  std::vector<SmallVector<MatmulTile>> listed;
  visitTiles(plans, allowed, *target, [&](ArrayRef<MatmulTile> shapes) {
    if (!llvm::is_contained(listed, shapes))
      listed.emplace_back(shapes);
  });
  return listed;
}

MatmulTileAttr MatmulTile::toAttribute(MLIRContext *context) const {
  return MatmulTileAttr::get(context, rows, columns, blockK, rowWarps,
                             columnWarps, stages, producers, resident, groups);
}

MatmulTile MatmulTile::fromAttribute(MatmulTileAttr attribute) {
  return {attribute.getRows(),        attribute.getColumns(),
          attribute.getK(),           attribute.getRowWarps(),
          attribute.getColumnWarps(), attribute.getStages(),
          attribute.getProducers(),   attribute.getResident(),
          attribute.getGroups()};
}

//===----------------------------------------------------------------------===//
// Tile sizes of attention kernels.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/AttentionTile.h"
#include "stof/CostModel/CostModel.h"
#include "stof/IR/MaskPredicate.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Support/TargetInfo.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace stof;

/// Shared memory of operands on any target, since a layout is planned for all
/// of them. What is left of the last 32 KiB is for row statistics.
static constexpr int64_t sharedBudget =
    getCommonSharedBytes() / (32 << 10) * (32 << 10);

/// The number of 64-row tiles of all heads, if known.
static std::optional<int64_t> countRowTiles(AttentionOp op) {
  constexpr int64_t rows = 64;
  ShapedType type = op.getQueryType();
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getDimSize(AttentionOp::Batch) *
         type.getDimSize(AttentionOp::Head) *
         llvm::divideCeil(type.getDimSize(AttentionOp::Position), rows);
}

/// Whether mask evaluation takes next to no registers, as that of the causal
/// mask does.
static bool isSimple(AttentionOp attention) {
  constexpr int64_t most = 2;
  MaskOpInterface mask = attention.getMaskDefinition();
  if (!mask)
    return !attention.getMask();
  MaskPredicate predicate(mask);
  int64_t operations = 0;
  for (Operation &op : predicate.getBody().without_terminator()) {
    // Captured tensors are read, and so are captured buffers.
    if (op.getNumRegions() > 0 ||
        !(isMemoryEffectFree(&op) || hasSingleEffect<MemoryEffects::Read>(&op)))
      return false;
    operations += !op.hasTrait<OpTrait::ConstantLike>();
  }
  return operations <= most;
}

/// The fastest tile without spills on an H200, for 16-bit elements and at most
/// 128 features.
static void refine(AttentionOp op, AttentionTile &tile) {
  // About 128 SMs hold two CTAs of big tiles each, or four of two warps;
  // several waves even out their load.
  constexpr int64_t few = 128, enoughForBig = 512, enoughForPairs = 1024;
  int64_t tiles =
      countRowTiles(op).value_or(std::numeric_limits<int64_t>::max());
  bool plain = !op.getMask() && !op.hasScore();
  bool narrow = std::max(tile.features, tile.valueFeatures) <= 64;
  if (plain && tiles <= few) {
    // One tile per SM: minimal latency.
    tile.queries = 32;
    tile.warps = 2;
  } else if (plain && tiles >= enoughForBig) {
    // Two MMA tiles of rows per warp reuse its fragments of K and V.
    tile.queries = 128;
    tile.keys = narrow ? 64 : 32;
    tile.holdsQueries = narrow;
  } else if (narrow && tiles >= enoughForPairs && isSimple(op) &&
             !op.hasScore()) {
    // Fewer rows leave fewer partial tiles at the edge of the mask.
    tile.warps = 2;
  }
}

/// The features of `type`, padded to whole MMA tiles.
static int64_t padFeatures(ShapedType type) {
  int64_t features = type.getDimSize(AttentionOp::Feature);
  return ShapedType::isDynamic(features)
             ? mmaDepth
             : static_cast<int64_t>(llvm::alignTo(features, mmaDepth));
}

/// Shared memory of the operands of a mainloop iteration, in bytes.
static int64_t countSharedBytes(AttentionOp op, const AttentionTile &tile) {
  return getElementBytes(op.getQueryType()) *
         ((tile.queries + tile.keys) * tile.features +
          tile.keys * tile.valueFeatures);
}

/// Splits `features` evenly into slices of at most `most`, padded to whole MMA
/// tiles; returns their number.
static int64_t divideFeatures(int64_t &features, int64_t most) {
  assert(most > 0 && most % mmaDepth == 0 && "slices are whole MMA tiles");
  int64_t slices = llvm::divideCeil(features, most);
  features = llvm::alignTo(llvm::divideCeil(features, slices), mmaDepth);
  return slices;
}

/// Slices the features of `tile` further until its operands fit in shared
/// memory, for any number of rows and keys.
static void fitFeatures(AttentionOp op, AttentionTile &tile) {
  // Shorter slices take as many loads for less work.
  const int64_t longStep = getElementBytes(op.getQueryType()) > 2 ? 64 : 128;
  int64_t all = padFeatures(op.getQueryType());
  for (int64_t most = longStep;
       countSharedBytes(op, tile) > sharedBudget && most >= mmaDepth;
       most /= 2) {
    tile.features = all;
    tile.headDimSlices = divideFeatures(tile.features, most);
  }
  while (countSharedBytes(op, tile) > sharedBudget &&
         tile.valueFeatures > mmaDepth) {
    int64_t most = llvm::alignTo(tile.valueFeatures / 2, mmaDepth);
    tile.valueFeatures = padFeatures(op.getValueType());
    tile.valueSlices = divideFeatures(tile.valueFeatures, most);
  }
}

/// Half of the registers of a warp hold accumulators of 16 rows and this many
/// features. At most 128 f32 accumulator columns fit, and only without bounds
/// predicates; wider heads spill, so V is split.
static constexpr int64_t mostFeatures = 256, mostWideFeatures = 128;

/// f32 matmuls take three times the registers of 16-bit ones.
static bool isWide(AttentionOp op) {
  return getElementBytes(op.getQueryType()) > 2;
}

/// A tile with the features of `op`, those of V sliced for the registers.
static AttentionTile sliceValues(AttentionOp op) {
  AttentionTile tile{64,
                     64,
                     padFeatures(op.getQueryType()),
                     padFeatures(op.getValueType()),
                     /*warps=*/4,
                     /*holdsQueries=*/false};
  if (isWide(op) && tile.valueFeatures > mostWideFeatures) {
    tile.features = llvm::alignTo(tile.features, mostWideFeatures);
    tile.valueSlices = llvm::divideCeil(tile.valueFeatures, mostWideFeatures);
    tile.valueFeatures = mostWideFeatures;
  } else if (tile.valueFeatures > mostFeatures) {
    tile.valueSlices = divideFeatures(tile.valueFeatures, mostFeatures);
  }
  return tile;
}

/// The tile that `given` asks for.
static AttentionTile makeTile(AttentionOp op, AttentionTileAttr given) {
  AttentionTile tile = sliceValues(op);
  tile.queries = given.getQueries();
  tile.keys = given.getKeys();
  tile.warps = given.getWarps();
  tile.holdsQueries = given.getHoldsQueries();
  tile.producers = given.getProducers();
  tile.overlaps = given.getOverlaps();
  tile.resident = given.getResident();
  tile.dynamic = given.getDynamic();
  fitFeatures(op, tile);
  return tile;
}

/// The tile of an attention that asks for none.
static AttentionTile chooseUsualTile(AttentionOp op) {
  AttentionTile tile = sliceValues(op);
  if (tile.valueFeatures > 128 || isWide(op) ||
      countSharedBytes(op, tile) > sharedBudget)
    tile.keys = 32;
  if (isWide(op) && std::max(tile.features, tile.valueFeatures) > 64)
    tile.keys = 16;
  fitFeatures(op, tile);
  // Rows beyond the last query are wasted work.
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::Position);
  if (!ShapedType::isDynamic(queries) && 2 * queries <= tile.queries) {
    tile.queries = llvm::alignTo(queries, attentionRowUnit);
    tile.warps = tile.queries / attentionRowUnit;
  } else if (tile.keys == 64) {
    refine(op, tile);
  }
  return tile;
}

AttentionTile stof::chooseTile(AttentionOp op) {
  std::optional<AttentionTileAttr> given = op.getTile();
  return given ? makeTile(op, *given) : chooseUsualTile(op);
}

/// Whether the operands of `tile` fit in shared memory, and what a thread holds
/// in registers: scores, their exponentials as operands, the accumulators, and
/// the queries.
static bool fits(AttentionOp op, const AttentionTile &tile) {
  // Of 255 registers, the rest is for addresses, row statistics and fragments.
  constexpr int64_t mostRegisters = 200, registerBytes = 4;
  int64_t operandBytes = getElementBytes(op.getQueryType());
  int64_t rows = tile.queries / tile.warps;
  int64_t accumulators = rows * (tile.keys + tile.valueFeatures) / lanesPerWarp;
  int64_t operands = rows * tile.keys;
  if (tile.holdsQueries)
    operands += rows * tile.features;
  // Two TF32 operands stand for one of f32.
  int64_t copies = isWide(op) ? 2 : 1;
  int64_t registers = accumulators + copies * operands * operandBytes /
                                         lanesPerWarp / registerBytes;
  bool canHold = !tile.holdsQueries || (!isWide(op) && tile.headDimSlices == 1);
  return canHold && registers <= mostRegisters &&
         countSharedBytes(op, tile) <= sharedBudget;
}

static AttentionTileAttr toAttribute(MLIRContext *context,
                                     const AttentionTile &tile) {
  return AttentionTileAttr::get(context, tile.queries, tile.keys, tile.warps,
                                tile.holdsQueries, tile.producers,
                                tile.overlaps, tile.resident, tile.dynamic);
}

bool stof::usesWarpgroups(AttentionOp op, const AttentionTile &tile,
                          const TargetInfo *target) {
  Type element = op.getQueryType().getElementType();
  bool hasRows = tile.queries == tile.warps * attentionRowUnit &&
                 tile.warps % tile::warpsPerGroup == 0;
  auto isReadable = [&](int64_t features) {
    return features * getElementBytes(op.getQueryType()) %
               tile::WarpgroupOperand::rowBytes ==
           0;
  };
  return target && target->hasWgmma && !tile.holdsQueries && hasRows &&
         isReadable(tile.features) && isReadable(tile.valueFeatures) &&
         (element.isF16() || element.isBF16());
}

bool stof::takesPairs(AttentionOp op, const AttentionTile &tile) {
  std::optional<ScheduleAttr> schedule = op.getSchedule();
  return tile.resident > 0 && !tile.dynamic && schedule &&
         schedule->getReversed() && schedule->getAhead() == 0;
}

bool stof::usesCounter(AttentionOp op) {
  return op.getTile() && op.getTile()->getDynamic();
}

int64_t stof::countMaskRegisters(AttentionOp op) {
  // As ptxas reports for kernels of 64 x 64 tiles, in addition to those of a
  // mask in closed form.
  constexpr int64_t evaluated = 24, listed = 6, ofLattice = 16, ofScore = 16;
  int64_t registers = op.hasScore() ? ofScore : 0;
  std::optional<LayoutAttr> layout = op.getLayout();
  if (op.getEmptyRowsMask() || (op.getMask() && !layout))
    return registers + evaluated;
  if (!layout)
    return registers;
  if (ArrayAttr lattices = layout->getLattices())
    registers += ofLattice * static_cast<int64_t>(lattices.size());
  switch (layout->getStorage()) {
  case LayoutStorage::ClosedForm:
    return registers;
  case LayoutStorage::Tables:
  case LayoutStorage::PageTable:
    return registers + listed;
  case LayoutStorage::RunTime:
    return registers + evaluated;
  }
  llvm_unreachable("covers all cases");
}

int64_t stof::countResident(AttentionOp op, const AttentionTile &tile,
                            const TargetInfo &target, int64_t maskRegisters) {
  KernelWork work = workOf(
      AttentionCounts{.batches = 1,
                      .heads = 1,
                      .keyHeads = 1,
                      .queries = tile.queries,
                      .keys = tile.keys,
                      .features = tile.features,
                      .valueFeatures = tile.valueFeatures,
                      .elementBytes = getElementBytes(op.getQueryType()),
                      .rowTile = tile.queries,
                      .colTile = tile.keys,
                      .warps = tile.warps,
                      .holdsQueries = tile.holdsQueries,
                      .usesWarpgroups = usesWarpgroups(op, tile, &target),
                      .producers = tile.producers,
                      .overlaps = tile.overlaps,
                      .fullTiles = 1,
                      .partialTiles = 0,
                      .longestKeyTiles = 1,
                      .maskRegisters = maskRegisters});
  return CostModel(target.getFigures()).countResident(work);
}

/// The ways in which the kernel of `tile` can load, overlap and share row
/// tiles, the one that is usually the fastest first.
static std::vector<AttentionTile> specialize(AttentionOp op, AttentionTile tile,
                                             const TargetInfo *target) {
  std::vector<AttentionTile> ways{tile};
  auto addShared = [&](AttentionTile shared, int64_t resident) {
    shared.resident = resident;
    for (bool dynamic : {false, true}) {
      shared.dynamic = dynamic;
      ways.push_back(shared);
    }
  };
  // Slices of the head dim are loaded in loops of their own.
  if (!usesWarpgroups(op, tile, target) || tile.headDimSlices > 1)
    return ways;
  // One warp sends to a warpgroup. More of them need the registers that a
  // warpgroup of producers can give back.
  bool isAlone = tile.warps == tile::warpsPerGroup;
  tile.producers = isAlone ? 1 : tile::warpsPerGroup;
  ways.insert(ways.begin(), tile);
  // Overlapping iterations need the registers of some of the CTAs of an SM.
  if (isAlone) {
    // What a mask needs is known once its layout is. Where it fills an SM with
    // fewer CTAs, the smaller number is as fast.
    int64_t most = countResident(op, tile, *target, /*maskRegisters=*/0);
    for (int64_t resident : {most - 1, most})
      if (resident > 1)
        addShared(tile, resident);
  }
  tile.overlaps = true;
  // Of long heads, the products take longer than the softmax between them.
  constexpr int64_t mostForSoftmax = 64;
  bool isLong = tile.features > mostForSoftmax;
  ways.insert(ways.begin() + (isAlone && !isLong ? 1 : 0), tile);
  if (!isAlone)
    addShared(tile, /*resident=*/1);
  return ways;
}

/// Whether each of `warps` has one or two MMA tiles of `queries`.
static bool canDivide(int64_t queries, int64_t warps) {
  int64_t rows = queries / warps;
  return queries % warps == 0 &&
         (rows == attentionRowUnit || rows == 2 * attentionRowUnit);
}

std::vector<AttentionTileAttr>
stof::listAttentionTiles(AttentionOp op, const TargetInfo *target) {
  MLIRContext *context = op.getContext();
  std::vector<AttentionTileAttr> listed;
  auto list = [&](const AttentionTile &tile) {
    for (const AttentionTile &way : specialize(op, tile, target))
      if (AttentionTileAttr attribute = toAttribute(context, way);
          !llvm::is_contained(listed, attribute))
        listed.push_back(attribute);
  };
  list(chooseUsualTile(op));
  int64_t length = op.getQueryType().getDimSize(AttentionOp::Position);
  for (int64_t queries : {16, 32, 64, 128, 192}) {
    // Half of the rows of a tile would be beyond the last query.
    if (!ShapedType::isDynamic(length) && queries > attentionRowUnit &&
        queries >= 2 * length)
      continue;
    for (int64_t warps : {1, 2, 4, 8, 12}) {
      if (!canDivide(queries, warps))
        continue;
      for (int64_t keys : {16, 32, 64, 128})
        for (bool holdsQueries : {false, true}) {
          AttentionTile tile =
              makeTile(op, AttentionTileAttr::get(context, queries, keys, warps,
                                                  holdsQueries, /*producers=*/0,
                                                  /*overlaps=*/false,
                                                  /*resident=*/0,
                                                  /*dynamic=*/false));
          // Three warpgroups share what wgmma reads.
          bool isUsual = llvm::isPowerOf2_64(queries);
          if (fits(op, tile) && (isUsual || usesWarpgroups(op, tile, target)))
            list(tile);
        }
    }
  }
  return listed;
}

AttentionTile stof::getKernelTile(AttentionOp op, const TargetInfo *target) {
  AttentionTile tile = chooseTile(op);
  if (std::optional<LayoutAttr> layout = op.getLayout()) {
    if (!op.getTile() && tile.queries != layout->getRowTile())
      tile.warps = layout->getRowTile() / attentionRowUnit;
    tile.queries = layout->getRowTile();
    tile.keys = layout->getColTile();
  }
  if (target) {
    fitFeatures(op, tile);
    return op.getTile() ? tile : specialize(op, tile, target).front();
  }
  tile.features = padFeatures(op.getQueryType());
  tile.valueFeatures = padFeatures(op.getValueType());
  tile.headDimSlices = tile.valueSlices = 1;
  return tile;
}

AttentionTile stof::getCombineTile(AttentionOp op, const TargetInfo *target) {
  AttentionTile tile = getKernelTile(op, target);
  bool attends = op.getEmptyRows() == EmptyRows::Mean ||
                 op.getEmptyRows() == EmptyRows::Unmasked;
  if (!target || attends)
    return tile;
  tile.valueFeatures = mmaDepth;
  tile.valueSlices = padFeatures(op.getValueType()) / mmaDepth;
  return tile;
}

//===----------------------------------------------------------------------===//
// Predicts the kernels of all tiles of an attention.
//===----------------------------------------------------------------------===//

#include "TileChoice.h"

#include "TileTrials.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/CostModel/GroupCost.h"
#include "stof/Support/ElementBytes.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/DebugLog.h"
#include <algorithm>

#define DEBUG_TYPE "stof-plan-layout"

using namespace mlir;
using namespace stof;

/// Whether the cost model was fitted to kernels like that of `op`.
static bool isKnown(AttentionOp op) {
  constexpr int64_t halfBytes = 2, mostFeatures = 128;
  auto isShort = [](ShapedType type) {
    return !type.isDynamicDim(AttentionOp::Feature) &&
           type.getDimSize(AttentionOp::Feature) <= mostFeatures;
  };
  return getElementBytes(op.getQueryType()) == halfBytes &&
         isShort(op.getQueryType()) && isShort(op.getValueType()) &&
         !op.hasScore();
}

/// Whether the tiles of the mask of `op`, if it has one, may be counted at
/// compile time, or estimated.
static bool mayCount(AttentionOp op) {
  if (op.getPageTable())
    return true;
  MaskOpInterface mask = op.getMaskDefinition();
  return !op.getMask() || (mask && mask.getOrigin() != MaskOrigin::BlockList);
}

/// Whether the tile of `op` is the one with the fastest kernel for `target`, if
/// the tiles of its mask are counted.
static bool isOpen(AttentionOp op, const TargetInfo *target) {
  return target && !op.getTile() && !op.getLayout() && !op.getSchedule() &&
         isKnown(op) && mayCount(op);
}

static bool isCounted(const TriedTile &tried) {
  return !tried.works.empty() && !tried.works.front().isUpperBound;
}

static double predict(const CostModel &model, const TriedTile &tried) {
  double microseconds = 0;
  for (const KernelWork &work : tried.works)
    microseconds += model.predict(work);
  return microseconds;
}

/// The first of the fastest of `tried`.
static size_t findFastest(const CostModel &model, ArrayRef<TriedTile> tried) {
  auto times = llvm::map_to_vector(
      tried, [&](const TriedTile &one) { return predict(model, one); });
  return std::distance(times.begin(), llvm::min_element(times));
}

std::vector<TriedTile> stof::tryTiles(AttentionOp op, const TargetInfo *target,
                                      bool gathersStrides) {
  std::vector<AttentionTileAttr> tiles = listAttentionTiles(op, target);
  if (std::optional<AttentionTileAttr> given = op.getTile()) {
    llvm::erase(tiles, *given);
    tiles.insert(tiles.begin(), *given);
  }
  KnownMasks masks;
  TileTrials trials(op, target, gathersStrides, masks);
  std::vector<TriedTile> tried;
  for (AttentionTileAttr tile : tiles)
    tried.push_back(trials.run(tile));
  if (isOpen(op, target) && llvm::all_of(tried, isCounted)) {
    auto first = tried.begin();
    auto fastest = first + findFastest(getCostModel(target), tried);
    std::rotate(first, fastest, fastest + 1);
  }
  return tried;
}

TileChoice::Key TileChoice::getKey(AttentionOp op) const {
  Attribute digest;
  if (BlockMaskOp pages = op.getPageTable())
    digest = DenseI64ArrayAttr::get(
        op.getContext(), {static_cast<int64_t>(pages.getQueryBlock()),
                          static_cast<int64_t>(pages.getKeyBlock())});
  else if (MaskOpInterface mask = op.getMaskDefinition())
    digest =
        StringAttr::get(op.getContext(), masks.get(op, mask).getDigest().text);
  return {digest, op.getQueryType(), op.getKeyType(), op.getValueType()};
}

/// The fastest of the tiles of `op`; nothing if those of its mask are not
/// counted.
std::optional<PredictedTile> TileChoice::weigh(AttentionOp op) const {
  TileTrials trials(op, target, gathersStrides, masks);
  std::vector<TriedTile> tried;
  for (AttentionTileAttr tile : listAttentionTiles(op, target)) {
    tried.push_back(trials.run(tile));
    if (!isCounted(tried.back()))
      return std::nullopt;
  }
  CostModel model = getCostModel(target);
  const TriedTile &fastest = tried[findFastest(model, tried)];
  return PredictedTile{fastest.tile, predict(model, fastest)};
}

std::optional<PredictedTile> TileChoice::choose(AttentionOp op) {
  if (!isOpen(op, target))
    return std::nullopt;
  auto [entry, isNew] = known.try_emplace(getKey(op));
  if (isNew)
    entry->second = weigh(op);
  LDBG() << "tile at " << op.getLoc() << ": "
         << (isNew ? "predicted" : "as that of an equal attention") << ", "
         << (entry->second ? debugString(entry->second->tile)
                           : "none, since its tiles are not counted");
  return entry->second;
}

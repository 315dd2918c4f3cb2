//===----------------------------------------------------------------------===//
// Counts the work of an attention in several tiles. Warps and registers have no
// influence on the layout.
//===----------------------------------------------------------------------===//

#include "TileTrials.h"

#include "stof/CostModel/AttentionWork.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stof;

TileTrials::~TileTrials() {
  while (op->getPrevNode() != before)
    op->getPrevNode()->erase();
}

AttentionOp TileTrials::planCopy(AttentionTileAttr tile) const {
  OpBuilder builder(op);
  auto copy = cast<AttentionOp>(builder.clone(*AttentionOp(op)));
  copy.dropLayout();
  planLayout(copy,
             {.shape = {tile.getQueries(), tile.getKeys()},
              .gathersStrides = gathersStrides,
              .isTrial = true},
             masks);
  return copy;
}

TriedTile TileTrials::run(AttentionTileAttr tile) {
  auto [entry, isNew] = copies.try_emplace({tile.getQueries(), tile.getKeys()});
  AttentionOp &copy = entry->second;
  if (isNew)
    copy = planCopy(tile);
  copy.setTileAttr(tile);
  TriedTile tried{tile, {}};
  std::optional<KernelWork> work = countWork(copy, target);
  if (!work)
    return tried;
  tried.works.push_back(*work);
  if (std::optional<KernelWork> combine = countCombineWork(copy, target))
    tried.works.push_back(*combine);
  if (std::optional<KernelWork> reset = countResetWork(copy))
    tried.works.push_back(*reset);
  return tried;
}

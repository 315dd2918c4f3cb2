//===----------------------------------------------------------------------===//
// Decides which mainloops an attention has for tiles of different kinds.
//===----------------------------------------------------------------------===//

#include "TileKinds.h"
#include "IntervalSets.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace stof;

#define DEBUG_TYPE "stof-emit-kernels"

std::optional<TileKinds> TileKinds::get(AttentionOp op,
                                        const AttentionTile &tile,
                                        ArrayAttr visited, ArrayAttr partial) {
  // Each interval takes some scalar instructions of every iteration.
  constexpr size_t most = 3;
  if (!tile.overlaps || !partial)
    return std::nullopt;
  TileKinds kinds{intersectIntervals(visited, partial),
                  subtractIntervals(visited, partial), partial};
  if (kinds.partial.empty() || kinds.full.empty())
    return std::nullopt;
  auto named = remark::RemarkOpts::name("TileKinds").category(DEBUG_TYPE);
  if (kinds.full.size() > most || kinds.partial.size() > most) {
    remark::missed(op.getLoc(), named)
        << remark::metric("FullIntervals", kinds.full.size())
        << remark::metric("PartialIntervals", kinds.partial.size())
        << remark::reason("either kind of tiles is in too many intervals for a "
                          "mainloop of its own");
    return std::nullopt;
  }
  remark::passed(op.getLoc(), named)
      << remark::metric("FullIntervals", kinds.full.size())
      << remark::metric("PartialIntervals", kinds.partial.size());
  return kinds;
}

bool TileKinds::areApartInLists(AttentionOp op, const AttentionTile &tile) {
  if (!tile.overlaps)
    return false;
  remark::passed(op.getLoc(),
                 remark::RemarkOpts::name("TileKinds").category(DEBUG_TYPE))
      << remark::metric("Storage",
                        stringifyLayoutStorage(op.getLayout()->getStorage()));
  return true;
}

//===----------------------------------------------------------------------===//
// Queries of the shared memory of operations.
//===----------------------------------------------------------------------===//

#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

using namespace mlir;
using namespace stof::tile;

int64_t stof::tile::getSharedBytes(Operation *op) {
  auto shared = dyn_cast<SharedMemoryOpInterface>(op);
  return shared ? shared.getSharedBytes() : 0;
}

int64_t stof::tile::getSharedAlignment(SharedMemoryOpInterface op) {
  constexpr int64_t usual = 128;
  SharedType type;
  if (OpResult tile = op.getAllocatedTile())
    type = cast<SharedType>(tile.getType());
  else if (auto channel = dyn_cast<ChannelOp>(op.getOperation()))
    type = channel.getChannel().getType().getTile();
  bool isWarpgroupOperand = type && WarpgroupOperand{type, true}.isReadable();
  return isWarpgroupOperand ? WarpgroupOperand::windowBytes : usual;
}

LogicalResult stof::tile::checkSharedOffsets(Operation *kernel) {
  WalkResult result = kernel->walk([](Operation *op) -> WalkResult {
    if (getSharedBytes(op) == 0 || op->getAttrOfType<IntegerAttr>(offsetAttr))
      return WalkResult::advance();
    return op->emitOpError()
           << "expects an offset in shared memory as attribute '" << offsetAttr
           << "', but got "
           << (op->hasAttr(offsetAttr) ? "another attribute" : "none");
  });
  return failure(result.wasInterrupted());
}

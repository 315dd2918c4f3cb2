//===----------------------------------------------------------------------===//
// Interfaces of the tile dialect, and their defaults.
//===----------------------------------------------------------------------===//

#include "stof/Tile/TileInterfaces.h"
#include "stof/Tile/Tile.h"

using namespace mlir;
using namespace stof::tile;

#include "stof/Tile/TileAttrInterfaces.cpp.inc"

#include "stof/Tile/TileOpInterfaces.cpp.inc"

OpResult stof::tile::detail::getUntiedTile(Operation *op) {
  auto shared = cast<SharedMemoryOpInterface>(op);
  for (OpResult result : op->getResults())
    if (isa<SharedType>(result.getType()) && !shared.getTiedTile(result))
      return result;
  return {};
}

int64_t stof::tile::detail::getTileBytes(Value tile) {
  return tile ? cast<SharedType>(tile.getType()).getSizeInBytes() : 0;
}

void stof::tile::detail::addReadsOfTiles(
    Operation *op, SmallVectorImpl<SharedAccess> &accesses) {
  for (Value operand : op->getOperands())
    if (isa<SharedType>(operand.getType()))
      accesses.push_back({SharedAccess::Kind::Read, operand});
}

//===----------------------------------------------------------------------===//
// The memory of tiles and views, and whether it overlaps.
//===----------------------------------------------------------------------===//

#include "MemoryRange.h"
#include "stof/Tile/SharedMemory.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace stof::tile;

void stof::tile::addRanges(MemoryRanges &ranges, ArrayRef<MemoryRange> more) {
  for (const MemoryRange &range : more)
    if (!llvm::is_contained(ranges, range))
      ranges.push_back(range);
}

bool stof::tile::overlap(ArrayRef<MemoryRange> ranges,
                         ArrayRef<MemoryRange> others) {
  return llvm::any_of(ranges, [&](const MemoryRange &range) {
    return llvm::any_of(others, [&](const MemoryRange &other) {
      return range.overlaps(other);
    });
  });
}

MemoryRange stof::tile::getGlobalRange(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  return {memory, Carried()};
}

MemoryRange stof::tile::getAllocatedRange(SharedMemoryOpInterface op) {
  int64_t first = op->getAttrOfType<IntegerAttr>(offsetAttr).getInt();
  return {Value(), Carried(), first, first + op.getSharedBytes()};
}

MemoryRanges stof::tile::getCarriedRanges(LoopLikeOpInterface loop) {
  MemoryRanges ranges;
  for (Value init : loop.getInits())
    if (isa<SharedType>(init.getType()))
      ranges.push_back(getAllocatedRange(
          getOrigin(init).getDefiningOp<SharedMemoryOpInterface>()));
  return ranges;
}

bool MemoryRange::overlaps(const MemoryRange &other) const {
  if (buffer || other.buffer)
    return buffer == other.buffer;
  if (carried.loop && carried.loop == other.carried.loop)
    return carried.number == other.carried.number;
  if (carried.loop)
    return llvm::any_of(
        getCarriedRanges(cast<LoopLikeOpInterface>(carried.loop)),
        [&](const MemoryRange &range) { return range.overlaps(other); });
  if (other.carried.loop)
    return other.overlaps(*this);
  return first < other.end && other.first < end;
}

MemoryRanges stof::tile::getTileRanges(Value tile) {
  MemoryRanges ranges;
  SmallVector<Value> tiles = {tile};
  while (!tiles.empty()) {
    Value origin = getOrigin(tiles.pop_back_val());
    Operation *op = origin.getDefiningOp();
    if (Carried carried = getCarried(origin); carried.loop) {
      addRanges(ranges, MemoryRange{Value(), carried});
    } else if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
      tiles.append({select.getTrueValue(), select.getFalseValue()});
    } else if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      addRanges(ranges, getCarriedRanges(loop));
    } else if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      branch.getPredecessorValues(RegionSuccessor(op, op->getResults()),
                                  cast<OpResult>(origin).getResultNumber(),
                                  tiles);
    } else if (auto shared = cast<SharedMemoryOpInterface>(op);
               shared.getAllocatedTile()) {
      addRanges(ranges, getAllocatedRange(shared));
    }
  }
  return ranges;
}

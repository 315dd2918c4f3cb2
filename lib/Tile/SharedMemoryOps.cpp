//===----------------------------------------------------------------------===//
// How the tile operations use shared memory. Contractions, elements of shared
// tiles and waits read their operands, as is the default of
// SharedMemoryOpInterface.
//===----------------------------------------------------------------------===//

#include "stof/Tile/SharedMemory.h"

using namespace mlir;
using namespace stof::tile;

using Kind = SharedAccess::Kind;

OpOperand *LoadOp::getTiedTile(OpResult) {
  return getBuffer() ? &getBufferMutable()[0] : nullptr;
}

void LoadOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &accesses) {
  if (isa<SharedType>(getResult().getType()))
    accesses.push_back({Kind::AsyncWrite, getResult()});
}

OpOperand *AwaitOp::getTiedTile(OpResult result) {
  return &getTilesMutable()[result.getResultNumber()];
}

int64_t ConvertOp::getSharedBytes() {
  SharedType type = getSharedType();
  return type ? type.getSizeInBytes() : 0;
}

void ConvertOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &accesses) {
  if (OpResult tile = getAllocatedTile())
    accesses.push_back({Kind::Write, tile});
  else if (getSharedBytes() > 0)
    accesses.append({{Kind::Write, {}}, {Kind::Read, {}}});
}

bool ConvertOp::synchronizes() {
  return getSharedBytes() > 0 && !getAllocatedTile();
}

int64_t ReduceOp::getSharedBytes() {
  int64_t warps = getSource().getType().getLayout().getWarpsAlong(getDim());
  if (warps == 1 || isPartial())
    return 0;
  FragmentType result = getResult().getType();
  return warps * result.getShape()[0] *
         getElementBytes(result.getElementType());
}

void ReduceOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &accesses) {
  if (getSharedBytes() > 0)
    accesses.append({{Kind::Write, {}}, {Kind::Read, {}}});
}

bool ReduceOp::synchronizes() { return getSharedBytes() > 0; }

bool AnyOp::synchronizes() { return true; }

int64_t ClaimOp::getSharedBytes() { return sizeof(int32_t); }

void ClaimOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &accesses) {
  accesses.append({{Kind::Write, {}}, {Kind::Read, {}}});
}

bool ClaimOp::synchronizes() { return true; }

int64_t ChannelOp::getSharedBytes() {
  return getChannel().getType().getSizeInBytes();
}

bool ChannelOp::isKept() { return true; }

// Channels order the accesses to their stages themselves.

OpResult ReceiveOp::getAllocatedTile() { return {}; }

void ReceiveOp::getSharedAccesses(SmallVectorImpl<SharedAccess> &) {}

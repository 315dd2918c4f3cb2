//===----------------------------------------------------------------------===//
// Which contractions a warpgroup can compute.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Warpgroup.h"
#include "stof/Tile/SharedMemory.h"

using namespace mlir;
using namespace stof::tile;

static constexpr int64_t rowsPerWarp = 16;
static constexpr int64_t mostColumns = 256, columnStep = 8;

bool WarpgroupOperand::isReadable() const {
  Type element = type.getElementType();
  return (element.isF16() || element.isBF16()) &&
         type.getShape()[1] * getElementBytes(element) % rowBytes == 0 &&
         type.getShape()[0] % (windowBytes / rowBytes) == 0;
}

int64_t WarpgroupOperand::getOffsetOfK(int64_t k) const {
  if (!isKMajor)
    return k * rowBytes;
  int64_t byte = k * getElementBytes(type.getElementType());
  return byte / rowBytes * getPanelBytes() + byte % rowBytes;
}

int64_t WarpgroupOperand::getOffsetOfOuter(int64_t number) const {
  if (isKMajor)
    return number * rowBytes;
  int64_t byte = number * getElementBytes(type.getElementType());
  return byte / rowBytes * getPanelBytes();
}

std::optional<std::pair<WarpgroupOperand, WarpgroupOperand>>
stof::tile::getWarpgroupOperands(ContractOp op) {
  auto lhs = dyn_cast<SharedType>(op.getLhs().getType());
  auto rhs = dyn_cast<SharedType>(op.getRhs().getType());
  auto layout = dyn_cast<MmaAttr>(op.getResult().getType().getLayout());
  ArrayRef<int64_t> shape = op.getResult().getType().getShape();
  if (!lhs || !rhs || !layout || layout.getColumns() != 1 ||
      layout.getRows() % warpsPerGroup != 0 ||
      shape[0] != layout.getRows() * rowsPerWarp ||
      shape[1] % columnStep != 0 || shape[1] > mostColumns)
    return std::nullopt;
  std::pair operands{WarpgroupOperand{lhs, !op.getTransposeLhs()},
                     WarpgroupOperand{rhs, op.getTransposeRhs()}};
  int64_t depth = lhs.getShape()[operands.first.isKMajor ? 1 : 0];
  if (!operands.first.isReadable() || !operands.second.isReadable() ||
      depth % stepOfK != 0)
    return std::nullopt;
  return operands;
}

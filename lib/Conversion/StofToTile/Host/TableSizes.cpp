//===----------------------------------------------------------------------===//
// The sizes of the tables that are made at run time.
//===----------------------------------------------------------------------===//

#include "TableSizes.h"
#include "stof/Conversion/KernelBuilder.h"

using namespace mlir;
using namespace stof;

SmallVector<OpFoldResult> stof::sizesOfTiles(OpBuilder &host, ListTilesOp op,
                                             ArrayRef<OpFoldResult> sizes) {
  Location loc = op.getLoc();
  ShapedType ranges = op.getRangesType();
  OpFoldResult one = host.getIndexAttr(1);
  return {ranges.getDimSize(0) == 1 ? one : sizes[0],
          ranges.getDimSize(1) == 1 ? one : sizes[1],
          ceilDiv(host, loc, sizes[2], op.getWithin().getRowTile()),
          ceilDiv(host, loc, sizes[3], op.getWithin().getColTile())};
}

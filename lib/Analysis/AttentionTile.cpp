//===----------------------------------------------------------------------===//
// The sizes of the tiles of block-wise attention.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/AttentionTile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

/// Features are padded with zeros to whole steps of the tensor cores.
static constexpr int64_t featureUnit = 16;
/// Shared memory that every GPU since sm_80 grants a block.
static constexpr int64_t sharedBudget = 96 * 1024;

AttentionTile stof::chooseTile(AttentionOp op) {
  auto padded = [](ShapedType type) {
    int64_t features = type.getDimSize(AttentionOp::feature);
    return ShapedType::isDynamic(features)
               ? featureUnit
               : llvm::alignTo(features, featureUnit);
  };
  AttentionTile tile{64, 64, static_cast<int64_t>(padded(op.getQueryType())),
                     static_cast<int64_t>(padded(op.getValueType()))};
  int64_t bytes = op.getQueryType().getElementTypeBitWidth() / 8;
  auto shared = [&] {
    return bytes * ((tile.queries + tile.keys) * tile.features +
                    tile.keys * tile.valueFeatures);
  };
  // Products of f32 take three times the registers of 16-bit ones.
  if (tile.valueFeatures > 128 || bytes > 2 || shared() > sharedBudget)
    tile.keys = 32;
  if (shared() > sharedBudget)
    tile.queries = 32;
  return tile;
}

//===----------------------------------------------------------------------===//
// The tile of an attention with the fastest kernel, as the cost model predicts
// it from the census of the mask in each of the tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_TILECHOICE_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_TILECHOICE_H

#include "KnownMask.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <tuple>

namespace stof {

/// A tile, and the predicted time of its kernel.
struct PredictedTile {
  AttentionTileAttr tile;
  double microseconds;
};

/// Chooses the tiles of attentions on one target. Equal attentions (layers) are
/// weighed once.
class TileChoice {
public:
  /// The choice for `target`; null for the CPU, where none is made.
  TileChoice(const TargetInfo *target, bool gathersStrides, KnownMasks &masks)
      : target(target), gathersStrides(gathersStrides), masks(masks) {}

  /// The tile for `op`; nothing if the cost model does not know its kernel, or
  /// if the attention has a tile or a schedule.
  std::optional<PredictedTile> choose(AttentionOp op);

private:
  /// The digest of the mask, if there is one, and the types of the operands.
  using Key = std::tuple<mlir::Attribute, mlir::Type, mlir::Type, mlir::Type>;

  Key getKey(AttentionOp op) const;
  std::optional<PredictedTile> weigh(AttentionOp op) const;

  const TargetInfo *target;
  bool gathersStrides;
  KnownMasks &masks;
  llvm::DenseMap<Key, std::optional<PredictedTile>> known;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_TILECHOICE_H

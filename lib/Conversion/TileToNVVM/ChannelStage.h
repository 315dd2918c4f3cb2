//===----------------------------------------------------------------------===//
// The stage of a channel through which a tile passes, and its barriers.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_CHANNELSTAGE_H
#define STOF_LIB_CONVERSION_TILETONVVM_CHANNELSTAGE_H

#include "stof/Tile/Tile.h"

#include "mlir/IR/Builders.h"

namespace stof::tile {

/// Where one tile passes through a channel.
class ChannelStage {
public:
  /// The stage of tile `number` (index) of the channel at `offset`.
  ChannelStage(mlir::OpBuilder &builder, mlir::Location loc, ChannelType type,
               mlir::Value offset, mlir::Value number);
  /// A stage of any phase.
  ChannelStage(mlir::OpBuilder &builder, mlir::Location loc, ChannelType type,
               mlir::Value offset, int64_t stage);

  /// The stage that an access to a channel names.
  template <typename Op, typename Adaptor>
  static ChannelStage of(mlir::OpBuilder &builder, Op access, Adaptor adaptor) {
    return {builder, access.getLoc(), access.getChannel().getType(),
            adaptor.getChannel().front(), adaptor.getNumber().front()};
  }

  /// The offset of the tile.
  mlir::Value getTile() const;
  /// The barriers, as pointers to shared memory.
  mlir::Value getFull() const { return getBarrierAt(0); }
  mlir::Value getEmpty() const { return getBarrierAt(type.getStages()); }

  /// Waits for a phase of `barrier`: that of this tile, or the one before.
  void wait(mlir::OpBuilder &at, mlir::Value barrier, bool before) const;

private:
  mlir::Value getBarrierAt(int64_t first) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ChannelType type;
  mlir::Value channel, stage, phase;
};

/// A builder for what only the thread, or the lane, of `number` 0 does.
mlir::OpBuilder enterFirst(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value number);

/// Lets the thread arrive at `barrier`.
void arrive(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value barrier);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_CHANNELSTAGE_H

//===----------------------------------------------------------------------===//
// The assignment of row tiles, heads and slices of V to CTAs.
//
// The grid is row tiles x heads x batches, or one-dimensional if some row tiles
// are ahead of the rest: these come first, each for all heads and all splits,
// then the rest, head by head. That of persistent CTAs is one-dimensional, too;
// if they claim row tiles whose lengths grow, heads are in sections, each with
// the longest tiles of all of its heads first. The keys and values of a section
// stay in L2.
// Slices of V count as heads.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONGRID_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONGRID_H

#include "AttentionContext.h"
#include "KeyTileIterator.h"

namespace stof {

/// What one CTA computes: some features of a row tile, over all keys or a split
/// of them.
struct CtaTile {
  RowTile row;
  /// The first of the features of V.
  mlir::Value firstFeature;
  /// The number of the row tile among those ahead; null without a schedule.
  mlir::Value numberAhead = {};
  std::optional<SplitRange> split = std::nullopt;
};

class AttentionGrid {
public:
  explicit AttentionGrid(const AttentionContext &context);

  /// Binds the tile of a CTA of the attention kernel, and the grid of that.
  CtaTile bind();
  llvm::SmallVector<mlir::OpFoldResult> getSizes() const;

  /// The same of the combine kernel, which has only the row tiles ahead.
  CtaTile bindCombine();
  llvm::SmallVector<mlir::OpFoldResult> getCombineSizes() const;

  mlir::Value getNumQueries() const { return numQueries; }

private:
  /// The number of row tiles of a head.
  mlir::Value countRowTiles();
  /// The number of heads, times that of the slices of V.
  mlir::OpFoldResult countHeads() const;
  CtaTile bindAhead(mlir::Value cta);
  /// Binds the row tile and the head of a CTA whose number is claimed, so that
  /// the longest row tiles of some heads come first.
  CtaTile bindClaimed(mlir::Value cta);
  /// Binds head and features from the number of a CTA among the heads.
  void bindHead(CtaTile &tile, mlir::Value number);
  /// Whether the grid is one-dimensional.
  bool isFlat() const;
  /// Reverses the order of row tiles if the schedule says so.
  void reverseRowTile(CtaTile &tile);

  const AttentionContext &context;
  mlir::OpBuilder &body;
  mlir::Location loc;
  mlir::Value numQueries;
};

/// The number of row tiles that are ahead of the rest (`#stof.schedule`), on
/// the host.
mlir::OpFoldResult countTilesAhead(mlir::OpBuilder &host, AttentionOp op);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONGRID_H

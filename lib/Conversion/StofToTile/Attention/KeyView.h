//===----------------------------------------------------------------------===//
// The keys and values that one mainloop iterates over, and a tile of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_KEYVIEW_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_KEYVIEW_H

#include "AttentionContext.h"
#include "KeyTileIterator.h"
#include "MaskTests.h"
#include "StridedPositions.h"

namespace stof {

/// All keys of a head, or those of a lattice.
struct KeyView {
  /// The buffers of K and V at these positions, and the batch and the head in
  /// them.
  mlir::Value key, value, batch, head;
  StridedPositions positions;
  /// Whether the positions fill whole key tiles.
  bool isFilled = false;
  /// The key tiles that a layout visits, null for a loop over all.
  const KeyTileIterator *iterator = nullptr;
  /// The first case that contains a tile applies; a tile list has one case, in
  /// no interval.
  llvm::SmallVector<PartialCase> partial = {};
  /// What all of its tiles are: if they are partial, each is in one of these
  /// cases.
  enum class Kind { Any, Partial, Full } kind = Kind::Any;
  /// The bitmaps of partial tiles, or null.
  mlir::Value bitmaps = {};
  /// The preceding views, whose visited keys must not count twice.
  llvm::ArrayRef<KeyView> earlier = {};

  /// The view of all keys for the batch and head of the queries of `row`.
  static KeyView getAll(const AttentionContext &context, const RowTile &row);

  /// In a view of all keys, that of every `stride`-th from `offset` on.
  KeyView getLattice(const AttentionContext &context, int64_t stride,
                     mlir::OpFoldResult offset) const;

  /// Whether a preceding view has visited `key`, an index or i32; null without
  /// one.
  mlir::Value isVisitedEarlier(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value key, int64_t tileKeys) const;
};

/// The test of a tile for which a value is true.
using TileCase = std::pair<mlir::Value, PositionTest>;

/// One tile of a view.
struct KeyTile {
  mlir::Value firstKey;
  /// The first keys of the pages that it consists of; none if it is one block
  /// of adjacent keys, at `firstKey`.
  llvm::SmallVector<mlir::Value> pages = {};
  /// The first case that holds selects the test, `otherwise` if none does.
  llvm::SmallVector<TileCase> cases = {};
  PositionTest otherwise = {};
  /// The number of its bitmap, or null.
  mlir::Value bitmap = {};
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_KEYVIEW_H

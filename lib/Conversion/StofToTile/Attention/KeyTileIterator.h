//===----------------------------------------------------------------------===//
// Iterates over the key tiles that a layout visits for one row tile, by
// ascending positions: key tiles of a closed form, or entries of a tile list.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_KEYTILEITERATOR_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_KEYTILEITERATOR_H

#include "stof/IR/Stof.h"

namespace stof {

/// A row tile: its number, batch and head.
struct RowTile {
  mlir::Value number, batch, head;
};

/// One of `count` equal splits of a range; all of it where `applies` is given
/// and false.
struct SplitRange {
  mlir::Value number;
  int64_t count = 1;
  mlir::Value applies = {};

  /// Replaces the range `begin`, `end` by that of the split.
  void cut(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value &begin,
           mlir::Value &end) const;
};

/// The values of the symbols of a layout for one batch and head.
llvm::SmallVector<mlir::Value> readSymbols(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           LayoutAttr layout, RowTile row,
                                           mlir::ValueRange operands);

class KeyTileIterator {
public:
  /// Iterates over intervals, whose lists may be null, of `keyTiles` key tiles.
  /// Emits the loop invariants: the ends of the intervals.
  KeyTileIterator(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::ArrayAttr visited, mlir::ArrayAttr partial, RowTile row,
                  mlir::Value keyTiles, mlir::ValueRange symbols);

  /// Iterates over the entries of a tile list between two positions of
  /// `ranges`.
  KeyTileIterator(mlir::OpBuilder &builder, mlir::Location loc, RowTile row,
                  mlir::Value ranges, mlir::Value entries,
                  LayoutAttr::Range first, LayoutAttr::Range last);

  /// Restricts the range to a split.
  void cut(mlir::OpBuilder &builder, const SplitRange &split);

  mlir::Value getFirst(mlir::OpBuilder &builder);
  mlir::Value getNext(mlir::OpBuilder &builder, mlir::Value position);
  /// One past the last position.
  mlir::Value getEnd() { return end; }
  mlir::Value getKeyTile(mlir::OpBuilder &builder, mlir::Value position);
  /// The number of the bitmap of a partial tile; constant tables only.
  mlir::Value getBitmap(mlir::OpBuilder &builder, mlir::Value position);
  /// Whether the mask must be evaluated at a position: an i1, or null for
  /// never.
  mlir::Value isPartial(mlir::OpBuilder &builder, mlir::Value position);
  /// The same for `intervals` of partial tiles; a tile list has none.
  mlir::Value isPartial(mlir::OpBuilder &builder, mlir::Value position,
                        llvm::ArrayRef<unsigned> intervals);
  /// Whether a key tile is visited; closed forms only.
  mlir::Value visits(mlir::OpBuilder &builder, mlir::Value keyTile) const;

private:
  /// An interval of key tiles.
  struct Span {
    mlir::Value begin, end;
  };
  llvm::SmallVector<Span> getSpans(mlir::OpBuilder &builder,
                                   mlir::ArrayAttr intervals, RowTile row,
                                   mlir::ValueRange symbols);
  mlir::Value isInside(mlir::OpBuilder &builder, llvm::ArrayRef<Span> spans,
                       mlir::Value keyTile) const;
  mlir::Value findVisited(mlir::OpBuilder &builder, mlir::Value from);
  mlir::Value loadEntry(mlir::OpBuilder &builder, mlir::Value position);

  mlir::Location loc;
  mlir::Value zero, begin, end;
  // For a closed form.
  llvm::SmallVector<Span> visited, partial;
  // For a tile list.
  mlir::Value entries;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_KEYTILEITERATOR_H

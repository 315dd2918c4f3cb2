//===----------------------------------------------------------------------===//
// The walk of a kernel over the key tiles that a layout visits for one row
// tile. A position of the walk is an index; the walk goes from the first to the
// end.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LAYOUTWALK_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LAYOUTWALK_H

#include "stof/IR/Stof.h"

namespace stof {

/// Where a row tile is: its number, batch and head.
struct RowTile {
  mlir::Value number, batch, head;
};

/// One of a number of equal parts of a walk; where `applies` is given and
/// false, all of it.
struct WalkPart {
  mlir::Value number;
  int64_t count = 1;
  mlir::Value applies = {};

  /// Replaces `begin` and `end`, ends of a range, by those of the part.
  void cut(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value &begin,
           mlir::Value &end) const;
};

/// The values of a layout's symbols for one batch and head.
llvm::SmallVector<mlir::Value> readSymbols(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           LayoutAttr layout, RowTile row,
                                           mlir::ValueRange operands);

class LayoutWalk {
public:
  /// A walk over intervals, or null lists of them. Emits what does not change
  /// along it: the ends. There are `keyTiles` tiles of keys.
  LayoutWalk(mlir::OpBuilder &builder, mlir::Location loc,
             mlir::ArrayAttr visited, mlir::ArrayAttr partial, RowTile row,
             mlir::Value keyTiles, mlir::ValueRange symbols);

  /// A walk over the entries of tables.
  LayoutWalk(mlir::OpBuilder &builder, mlir::Location loc, RowTile row,
             mlir::Value ranges, mlir::Value entries);

  /// Leaves a part of the walk.
  void cut(mlir::OpBuilder &builder, const WalkPart &part);

  mlir::Value getFirst(mlir::OpBuilder &builder);
  mlir::Value getNext(mlir::OpBuilder &builder, mlir::Value position);
  /// One past the last position.
  mlir::Value getEnd() { return end; }
  mlir::Value getKeyTile(mlir::OpBuilder &builder, mlir::Value position);
  /// The number of the bitmap of a partial tile, in a walk over constant
  /// tables.
  mlir::Value getBitmap(mlir::OpBuilder &builder, mlir::Value position);
  /// Whether the mask must be asked at a position: an i1, or null for never.
  mlir::Value isPartial(mlir::OpBuilder &builder, mlir::Value position);
  /// Whether a position is in one of some intervals of partial tiles.
  mlir::Value isPartial(mlir::OpBuilder &builder, mlir::Value position,
                        llvm::ArrayRef<unsigned> intervals);
  /// Whether a key tile is visited, in a walk over intervals.
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
  // Of a closed form.
  llvm::SmallVector<Span> visited, partial;
  // Of tables.
  mlir::Value entries;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LAYOUTWALK_H

//===----------------------------------------------------------------------===//
// Evaluates the operations of a group in program order on the tile of a CTA.
//
// A value of the group is a fragment of rows x columns, or of rows alone if it
// is the same for all columns. An input is loaded as a tile if rows and columns
// are dimensions of a view of it, else element by element at the coordinates of
// its indexing map, clamped to the iteration space. Row kernels are built from
// it, and prologues and epilogues of contractions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_FRAGMENTPROGRAM_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_FRAGMENTPROGRAM_H

#include "GroupContext.h"

namespace stof {

/// The tile of a CTA and its coordinates in the iteration space.
struct GroupTile {
  int64_t rows, columns;
  tile::LayoutInterface layout;
  mlir::Value firstRow, firstColumn;
  /// Coordinates along the batch's dim factors. The folded one has its first.
  llvm::SmallDenseMap<unsigned, mlir::Value> batch;
  /// The number of values of the folded batch dim factor
  /// (GroupPlan::getFoldedBatch) in the columns.
  int64_t foldedCount = 1;
};

/// Operations of a group that are evaluated on the same tiles.
struct FragmentScope {
  /// Dim factors of the rows and columns of a tile.
  DimFactors rows, columns;
  llvm::SmallVector<mlir::linalg::LinalgOp> operations;
  /// The results to store.
  llvm::SmallVector<mlir::OpResult> results;
  /// Whether some of the operations are contractions.
  bool hasContractions = false;

  /// The operations of the plan outside of prologues.
  static FragmentScope ofResults(const GroupPlan &plan);
};

class FragmentProgram {
public:
  FragmentProgram(GroupContext &context, const GroupTile &tile)
      : FragmentProgram(context, tile,
                        FragmentScope::ofResults(context.getPlan())) {}
  FragmentProgram(GroupContext &context, const GroupTile &tile,
                  FragmentScope scope);

  /// Loads operands without columns, ahead of any loop over columns.
  void loadRows(mlir::OpBuilder &builder);

  /// Moves to other columns: all fragments with columns are invalidated.
  void moveTo(mlir::Value firstColumn);
  /// Moves to another tile of the same shape.
  void moveTo(const GroupTile &other);

  /// Evaluates `op`, which reduces no columns.
  void evaluate(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

  /// Evaluates a reduction over columns; the tile must be full-N.
  void reduce(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

  /// A reduction over several tiles: the neutral elements, the update by a
  /// tile, and the final reduction to rows.
  mlir::Value beginReduction(mlir::OpBuilder &builder,
                             mlir::linalg::LinalgOp op);
  mlir::Value accumulate(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                         mlir::Value partial);
  void finishReduction(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                       mlir::Value partial);

  /// Adds the initial value of `op` to its accumulator.
  void finishContraction(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                         mlir::Value accumulator);

  /// The fragment of `value`, zero where out of bounds along `axis`.
  mlir::Value getCleared(mlir::OpBuilder &builder, mlir::OpResult value,
                         unsigned axis);

  /// Stores the results that have rows alone, or rows x columns.
  void storeResults(mlir::OpBuilder &builder, bool rowValued);

  /// Reports the operands that may share the memory of a result: each element
  /// is read only by the thread that stores the same element of the result, and
  /// before the store. Expects one tile per CTA and all results stored last.
  void findInPlace();

  /// The axes of a tile.
  static constexpr unsigned rowAxis = 0, columnAxis = 1;

private:
  class Operands;

  /// Finds the operations that must be evaluated at in-bounds points only, and
  /// their producers: those that read memory at computed indices or may fail.
  void findExactOperations();

  bool isRowValued(mlir::linalg::LinalgOp op) const {
    return plan.isRowValued(op, scope.columns);
  }

  /// Binds an operand of `op` to a tile view, a buffer or a scalar.
  void bind(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);
  /// Whether views without columns get a unit dimension for them.
  bool hasUnitColumns() const {
    return plan.getTemplate() != GroupTemplate::Rows;
  }
  mlir::Type getType(mlir::Type element, bool rowValued) const;

  /// Whether all uses of the buffer of `argument` load it as `view`.
  bool isOnlyReadAs(mlir::BlockArgument argument, const TileView &view) const;

  /// The tile of `view` at the current position, loaded at most once.
  mlir::Value load(mlir::OpBuilder &builder, const TileView &view);
  llvm::SmallVector<mlir::Value> getIndices(mlir::OpBuilder &builder,
                                            const TileView &view) const;
  mlir::DenseI64ArrayAttr getAlong(mlir::OpBuilder &builder,
                                   const TileView &view) const;

  /// Converts the fragments that `op` reads at other columns to shared memory.
  void shareElements(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);
  /// The element of such a shared tile that a point of the tile reads.
  mlir::Value readElement(mlir::OpBuilder &builder, const ElementRead &read,
                          mlir::ValueRange indices,
                          mlir::ValueRange inTile) const;
  /// Inlines the body of `op` at a point of the tile.
  llvm::SmallVector<mlir::Value>
  copyBody(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
           mlir::ValueRange inputs, mlir::ValueRange carried,
           mlir::ValueRange coordinates, mlir::ValueRange inTile) const;

  /// Coordinates of the loops of `op` at a point of the tile; null for
  /// sequential loops.
  llvm::SmallVector<mlir::Value> getCoordinates(mlir::OpBuilder &builder,
                                                mlir::linalg::LinalgOp op,
                                                mlir::ValueRange inTile) const;
  /// Computes the result elements of `op` at a point of the tile.
  llvm::SmallVector<mlir::Value> computePoint(mlir::OpBuilder &builder,
                                              mlir::linalg::LinalgOp op,
                                              Operands &operands,
                                              mlir::ValueRange inTile,
                                              mlir::ValueRange elements);
  /// Whether a row or column is in bounds; null if all are.
  mlir::Value isBelow(mlir::OpBuilder &builder, unsigned axis,
                      mlir::Value inTile) const;
  /// Whether a point of the tile is in bounds; null if all are.
  mlir::Value exists(mlir::OpBuilder &builder, mlir::ValueRange inTile) const;
  /// The row or column number, clamped to the last one.
  mlir::Value getNumber(mlir::OpBuilder &builder, unsigned axis,
                        mlir::Value inTile) const;

  GroupContext &context;
  const GroupPlan &plan;
  FragmentScope scope;
  GroupTile tile;
  mlir::Location loc;
  /// Whether all rows and columns of every tile are in bounds.
  bool rowsExist, columnsExist;
  /// Values that the bodies of operations capture.
  mlir::IRMapping scalars;
  /// Extents of rows, columns and dim factors in the kernel.
  mlir::Value numRows, numColumns;
  llvm::SmallDenseMap<unsigned, mlir::Value> sizes;
  /// Computed and loaded tiles; those of rows alone survive a change of
  /// columns.
  llvm::DenseMap<mlir::Value, mlir::Value> rowFragments, fragments;
  llvm::SmallVector<std::pair<TileView, mlir::Value>> rowTiles, tiles;
  /// Computed tiles with a copy in shared memory.
  llvm::DenseMap<mlir::Value, mlir::Value> shared;
  /// Views of the operands that are loaded as tiles, and of the results.
  llvm::DenseMap<mlir::OpOperand *, TileView> loaded;
  llvm::DenseMap<mlir::Value, TileView> views;
  llvm::SmallPtrSet<mlir::Operation *, 8> needsElements;
  /// Operations that are skipped at out-of-bounds points.
  llvm::SmallPtrSet<mlir::Operation *, 2> guarded;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_FRAGMENTPROGRAM_H

//===----------------------------------------------------------------------===//
// The operations of a group evaluated one after another on tiles.
//
// A value of the group is a fragment of rows x columns, or one of rows where it
// is the same for all columns. What comes from outside is loaded as a tile
// where it lies in rows and columns, else element by element at the coordinates
// that the indexing maps ask for, which are clamped to what exists. This is the
// body of the kernels of rows, and the prologues and epilogue of contractions.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_FRAGMENTPROGRAM_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_FRAGMENTPROGRAM_H

#include "GroupKernels.h"

namespace stof {

/// The tile that a block computes, and where in the domain it lies.
struct GroupTile {
  int64_t rows, columns;
  tile::LayoutInterface layout;
  mlir::Value firstRow, firstColumn;
  /// The values of the batch's digits: the first where the tile has the columns
  /// of several.
  llvm::SmallDenseMap<unsigned, mlir::Value> batch;
  /// Of how many values of the spread digit it has the columns.
  int64_t pieces = 1;
};

/// Operations of a group that are computed on the same tiles.
struct FragmentScope {
  /// What counts the rows and the columns of the tiles.
  Digits rows, columns;
  llvm::SmallVector<mlir::linalg::LinalgOp> operations;
  /// Which of what they compute is stored.
  llvm::SmallVector<mlir::OpResult> results;
  /// Whether some of them finish products.
  bool hasProducts = false;

  /// All that is computed on the tiles of the plan.
  static FragmentScope ofResults(const GroupPlan &plan);
};

class FragmentProgram {
public:
  FragmentProgram(GroupContext &context, const GroupTile &tile)
      : FragmentProgram(context, tile,
                        FragmentScope::ofResults(context.getPlan())) {}
  FragmentProgram(GroupContext &context, const GroupTile &tile,
                  FragmentScope scope);

  /// Loads what belongs to rows alone, before any loop over columns.
  void loadRows(mlir::OpBuilder &builder);

  /// Continues at other columns: what depends on columns is forgotten.
  void moveTo(mlir::Value firstColumn);
  /// Continues at another tile of the same shape.
  void moveTo(const GroupTile &other);

  /// Computes the results of `op`, which combines no columns, of what has been
  /// computed before.
  void evaluate(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

  /// Combines columns of `op`, all of which the tile holds.
  void reduce(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

  /// A reduction in three steps: elements to begin with, a tile combined into
  /// them, and the rows that they make.
  mlir::Value beginReduction(mlir::OpBuilder &builder,
                             mlir::linalg::LinalgOp op);
  mlir::Value accumulate(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                         mlir::Value partial);
  void finishReduction(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                       mlir::Value partial);

  /// Takes the sums of the group's product and adds its initial value.
  void finishProduct(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                     mlir::Value accumulator);

  /// `value`, which has been computed, as a tile that is zero beyond the end of
  /// `axis`.
  mlir::Value getCleared(mlir::OpBuilder &builder, mlir::OpResult value,
                         unsigned axis);

  /// Stores results that have been computed: rows, or rows x columns.
  void storeResults(mlir::OpBuilder &builder, bool rowValued);

  /// Tells the kernel of operands in whose memory a result may lie: those of
  /// which each element is read by the thread alone that stores the result's
  /// element at the same place, and before it does. Asks for a kernel that
  /// computes one tile for each of its blocks and stores all results last.
  void findInPlace();

  /// The axes of a tile.
  static constexpr unsigned rowAxis = 0, columnAxis = 1;

private:
  class Operands;

  /// Finds the operations that must only be asked about points that exist, and
  /// what they need: those that read memory at places which they compute, or
  /// divide integers.
  void findExactOperations();

  bool isRowValued(mlir::linalg::LinalgOp op) const {
    return plan.isRowValued(op, scope.columns);
  }

  /// Makes what `op` reads of an operand available.
  void bind(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);
  /// Whether what has no columns is given a dimension of one for them.
  bool hasUnitColumns() const {
    return plan.getTemplate() != GroupTemplate::Rows;
  }
  mlir::Type getType(mlir::Type element, bool rowValued) const;

  /// Whether everything in the group that reads the buffer of `argument` reads
  /// it as `view`.
  bool isOnlyReadAs(mlir::BlockArgument argument, const TileView &view) const;

  /// The tile of `view` that belongs here.
  mlir::Value load(mlir::OpBuilder &builder, const TileView &view);
  llvm::SmallVector<mlir::Value> getIndices(mlir::OpBuilder &builder,
                                            const TileView &view) const;
  mlir::DenseI64ArrayAttr getAlong(mlir::OpBuilder &builder,
                                   const TileView &view) const;

  /// Lets all threads have the tiles that `op` reads at other columns.
  void shareElements(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);
  /// The element of such a tile for a point of the tile.
  mlir::Value readElement(mlir::OpBuilder &builder, const ElementRead &read,
                          mlir::ValueRange indices,
                          mlir::ValueRange inTile) const;
  /// Copies the body of `op` for a point of the tile.
  llvm::SmallVector<mlir::Value>
  copyBody(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
           mlir::ValueRange inputs, mlir::ValueRange carried,
           mlir::ValueRange coordinates, mlir::ValueRange inTile) const;

  /// Coordinates of the loops of `op` at a point of the tile; none for those
  /// that run inside.
  llvm::SmallVector<mlir::Value> getCoordinates(mlir::OpBuilder &builder,
                                                mlir::linalg::LinalgOp op,
                                                mlir::ValueRange inTile) const;
  /// Computes the elements of the results of `op` for a point of the tile.
  llvm::SmallVector<mlir::Value> computePoint(mlir::OpBuilder &builder,
                                              mlir::linalg::LinalgOp op,
                                              Operands &operands,
                                              mlir::ValueRange inTile,
                                              mlir::ValueRange elements);
  /// Whether there is such a row or column; null if there are all.
  mlir::Value isBelow(mlir::OpBuilder &builder, unsigned axis,
                      mlir::Value inTile) const;
  /// Whether a point of the tile exists; null if all do.
  mlir::Value exists(mlir::OpBuilder &builder, mlir::ValueRange inTile) const;
  /// The row or column number, moved to the last one if it does not exist.
  mlir::Value getNumber(mlir::OpBuilder &builder, unsigned axis,
                        mlir::Value inTile) const;

  GroupContext &context;
  const GroupPlan &plan;
  FragmentScope scope;
  GroupTile tile;
  mlir::Location loc;
  /// Whether all rows and columns of every tile exist.
  bool rowsExist, columnsExist;
  /// What the bodies of operations use of around them.
  mlir::IRMapping scalars;
  /// Sizes of rows, columns and digits in the kernel.
  mlir::Value numRows, numColumns;
  llvm::SmallDenseMap<unsigned, mlir::Value> sizes;
  /// Computed tiles, and loaded ones; those of rows alone apart.
  llvm::DenseMap<mlir::Value, mlir::Value> rowFragments, fragments;
  llvm::SmallVector<std::pair<TileView, mlir::Value>> rowTiles, tiles;
  /// Computed tiles that are in shared memory as well.
  llvm::DenseMap<mlir::Value, mlir::Value> shared;
  /// The operands that are loaded as tiles, and the results.
  llvm::DenseMap<mlir::OpOperand *, TileView> loaded;
  llvm::DenseMap<mlir::Value, TileView> views;
  llvm::SmallPtrSet<mlir::Operation *, 8> needsElements;
  /// Operations that are not computed at all for points that do not exist.
  llvm::SmallPtrSet<mlir::Operation *, 2> guarded;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_FRAGMENTPROGRAM_H

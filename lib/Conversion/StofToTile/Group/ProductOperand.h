//===----------------------------------------------------------------------===//
// The tiles of what a product multiplies: loaded, or computed by a prologue of
// what is loaded and of the sums of other products. Both are in shared memory,
// in the order in which the operand has its elements.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_PRODUCTOPERAND_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_PRODUCTOPERAND_H

#include "FragmentProgram.h"

namespace stof {

class ProductWalk;

/// What the tiles of a product are made of.
struct ProductAxes {
  /// What counts their rows and columns.
  Digits rows, columns;
  /// The operand that the rows are of: 1 where tiles are transposed.
  unsigned left = 0;
};

class ProductOperand {
public:
  /// An operand of which `outer` counts the rows or columns that a tile has
  /// `outerSize` of. Builds what comes before the loop over tiles; `tile` is
  /// the block's.
  ProductOperand(GroupContext &context, mlir::OpOperand &operand,
                 llvm::ArrayRef<unsigned> outer, int64_t outerSize,
                 const ContractionShape &shape, const GroupTile &tile);
  ~ProductOperand();

  /// Whether a tile is stored the other way round than with what is summed over
  /// in its columns, or, unless `innerLast`, in its rows.
  bool isTransposed(bool innerLast) const { return isInnerLast != innerLast; }

  /// Whether tiles at one place are the same.
  bool isSameAs(const ProductOperand &other) const;

  /// The tile at these rows or columns and there along what is summed over;
  /// `others` are the values of all other digits.
  mlir::Value getTile(mlir::OpBuilder &builder, mlir::Value outerAt,
                      mlir::Value innerAt,
                      const llvm::SmallDenseMap<unsigned, mlir::Value> &others);

private:
  /// Adds the products of the prologue, whose tiles are held as they leave.
  void addChained(GroupContext &context, mlir::OpOperand &operand,
                  ProductAxes axes, const ContractionShape &around);
  void evaluatePrologue(mlir::OpBuilder &builder);

  mlir::Location loc;
  bool isInnerLast;
  /// Rows and columns of a tile.
  llvm::SmallVector<int64_t, 2> shape;
  mlir::Type element;
  /// Of an operand that is loaded: where it lies, and the dimensions that are
  /// rows and columns of a tile.
  TileView view;
  /// Of one that is computed: how, and what it is in the group.
  std::optional<FragmentProgram> program;
  llvm::ArrayRef<mlir::linalg::LinalgOp> prologue;
  mlir::OpResult computed;
  GroupTile place;
  /// The products of which it is computed.
  llvm::SmallVector<std::unique_ptr<ProductWalk>> chained;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_PRODUCTOPERAND_H

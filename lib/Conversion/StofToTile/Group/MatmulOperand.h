//===----------------------------------------------------------------------===//
// The tiles of a contraction operand: loaded, or computed by a prologue from
// loaded tiles and the accumulators of other contractions (back-to-back GEMM).
// Both are in shared memory, in the element order of the operand.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_MATMULOPERAND_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_MATMULOPERAND_H

#include "FragmentProgram.h"
#include "stof/CostModel/MatmulTile.h"

namespace stof {

class MatmulMainloop;

/// The axes of the result tiles of a contraction.
struct ContractionAxes {
  /// Dim factors of the rows and columns.
  DimFactors rows, columns;
  /// The operand with the rows: 1 if tiles are transposed.
  unsigned left = 0;
};

class MatmulOperand {
public:
  /// An operand whose non-reduction dims `outer` have `outerSize` elements in a
  /// tile. Emits the loop invariants; `tile` is the CTA tile.
  MatmulOperand(GroupContext &context, mlir::OpOperand &operand,
                llvm::ArrayRef<unsigned> outer, int64_t outerSize,
                const MatmulTile &shape, const GroupTile &tile);
  ~MatmulOperand();

  /// Whether a tile is transposed relative to the order with K in its columns,
  /// or in its rows unless `kContiguous`.
  bool isTransposed(bool kContiguous) const {
    return isKContiguous != kContiguous;
  }

  /// Whether tiles at equal coordinates are equal.
  bool isSameAs(const MatmulOperand &other) const;

  /// The tile at `outerAt` along the non-reduction dims and `kAt` along K;
  /// `others` are the coordinates along all other dim factors.
  mlir::Value getTile(mlir::OpBuilder &builder, mlir::Value outerAt,
                      mlir::Value kAt,
                      const llvm::SmallDenseMap<unsigned, mlir::Value> &others);

private:
  /// Adds the contractions of the prologue, whose accumulators stay in
  /// registers, so the prologue takes their layout.
  void addBackToBack(GroupContext &context, mlir::OpOperand &operand,
                     ContractionAxes axes, const MatmulTile &around);
  void evaluatePrologue(mlir::OpBuilder &builder);

  mlir::Location loc;
  bool isKContiguous;
  /// Rows and columns of a tile.
  llvm::SmallVector<int64_t, 2> shape;
  mlir::Type element;
  /// For a loaded operand: its view, with rows and columns of a tile as
  /// dimensions.
  TileView view;
  /// For a computed operand: its program, its operations and its value in the
  /// group.
  std::optional<FragmentProgram> program;
  llvm::ArrayRef<mlir::linalg::LinalgOp> prologue;
  mlir::OpResult computed;
  GroupTile operandTile;
  /// The mainloops of the contractions in the prologue.
  llvm::SmallVector<std::unique_ptr<MatmulMainloop>> backToBack;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_MATMULOPERAND_H

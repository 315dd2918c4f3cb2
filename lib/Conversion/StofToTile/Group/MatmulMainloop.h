//===----------------------------------------------------------------------===//
// The mainloop of contractions: iterates over K tiles for one CTA tile.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_MATMULMAINLOOP_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_MATMULMAINLOOP_H

#include "MatmulOperand.h"

#include <deque>

namespace stof {

class MatmulMainloop {
public:
  /// Takes contractions with the same reduction dims. Emits the loop
  /// invariants.
  MatmulMainloop(GroupContext &context,
                 llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                 const ContractionAxes &axes, const MatmulTile &shape,
                 const GroupTile &tile);

  llvm::ArrayRef<mlir::linalg::LinalgOp> getContractions() const {
    return contractions;
  }

  /// Emits the loop and returns an accumulator for each contraction at these
  /// rows and columns; `others` are the coordinates along all other dim
  /// factors.
  llvm::SmallVector<mlir::Value>
  emit(mlir::OpBuilder &builder, mlir::Value firstRow, mlir::Value firstColumn,
       const llvm::SmallDenseMap<unsigned, mlir::Value> &others);

private:
  mlir::Location loc;
  llvm::SmallVector<mlir::linalg::LinalgOp> contractions;
  /// In deques because operands are not movable.
  std::deque<MatmulOperand> left, right;
  tile::FragmentType accumulator;
  mlir::Value zero, first, kTile, kSize;
  /// The outer reduction dims, whose values start a new K tile each, and the
  /// radix of the loop counter: their sizes and that of K, rounded up to K
  /// tiles.
  llvm::ArrayRef<unsigned> outer;
  llvm::SmallVector<mlir::Value> radix;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_MATMULMAINLOOP_H

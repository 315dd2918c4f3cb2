//===----------------------------------------------------------------------===//
// Sums of products along what they sum over, for one tile of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_PRODUCTWALK_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_PRODUCTWALK_H

#include "ProductOperand.h"

#include <deque>

namespace stof {

class ProductWalk {
public:
  /// Products that sum over the same. Builds what comes before any loop.
  ProductWalk(GroupContext &context,
              llvm::ArrayRef<mlir::linalg::LinalgOp> products,
              const ProductAxes &axes, const ContractionShape &shape,
              const GroupTile &tile);

  llvm::ArrayRef<mlir::linalg::LinalgOp> getProducts() const {
    return products;
  }

  /// The sums of each product for the tile at these rows and columns, as
  /// accumulators; `others` are the values of all other digits.
  llvm::SmallVector<mlir::Value>
  emit(mlir::OpBuilder &builder, mlir::Value firstRow, mlir::Value firstColumn,
       const llvm::SmallDenseMap<unsigned, mlir::Value> &others);

private:
  mlir::Location loc;
  llvm::SmallVector<mlir::linalg::LinalgOp> products;
  /// They refer to what they are built of.
  std::deque<ProductOperand> left, right;
  tile::FragmentType accumulator;
  mlir::Value zero, first, step, depth;
  /// The digits of which each value has whole steps of its own, and how many
  /// values they and what lies within them have.
  llvm::ArrayRef<unsigned> outer;
  llvm::SmallVector<mlir::Value> radix;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_PRODUCTWALK_H

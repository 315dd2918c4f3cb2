//===----------------------------------------------------------------------===//
// Coordinates of a thread's elements in a tile. A coordinate has two parts: the
// constant, which differs between registers, folds into the immediate of an
// address.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_TILETONVVM_COORDINATES_H
#define STOF_CONVERSION_TILETONVVM_COORDINATES_H

#include "stof/Tile/Tile.h"

namespace stof::tile {

/// `thread + constant`
struct Coordinate {
  /// The part that depends on the thread, an i32; null for zero.
  mlir::Value thread;
  int64_t constant = 0;
  /// A divisor of `thread`, for all threads.
  int64_t divisor = 1;
  /// An exclusive bound of `thread`, for all threads; 0 if unknown.
  int64_t bound = 0;

  /// Whether `unit` divides the whole coordinate.
  bool isMultipleOf(int64_t unit) const {
    return constant % unit == 0 && (!thread || divisor % unit == 0);
  }
};

/// The calling thread, as i32: lane in the warp, warp and thread among those
/// that run the insertion point, the CTA or a role of it.
struct ThreadPosition {
  mlir::Value lane, warp, thread;
  static ThreadPosition get(mlir::OpBuilder &builder, mlir::Location loc);
};

/// i32 constants and arithmetic, simplified for null and constant operands.
mlir::Value constantI32(mlir::OpBuilder &builder, mlir::Location loc,
                        int64_t value);
mlir::Value addI32(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value lhs, mlir::Value rhs);
mlir::Value addI32(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value lhs, int64_t rhs);
mlir::Value mulI32(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value lhs, int64_t rhs);
mlir::Value divI32(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value lhs, int64_t rhs);
mlir::Value remI32(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value lhs, int64_t rhs);

/// `expr` over d0 = lane and d1 = warp, non-negative, as an i32.
mlir::Value expandThreadExpr(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::AffineExpr expr,
                             const ThreadPosition &position);

/// Replaces the register or the lane in `expr` by a constant.
mlir::AffineExpr fixRegister(mlir::AffineExpr expr, int64_t registerIndex);
mlir::AffineExpr fixLane(mlir::AffineExpr expr, int64_t lane);

/// The whole coordinate as an i32 or as an index.
mlir::Value asI32(mlir::OpBuilder &builder, mlir::Location loc,
                  const Coordinate &coordinate);
mlir::Value asIndex(mlir::OpBuilder &builder, mlir::Location loc,
                    const Coordinate &coordinate);

/// The coordinates of the calling thread's elements of a tile.
class TileCoordinates {
public:
  TileCoordinates(mlir::OpBuilder &builder, mlir::Location loc,
                  LayoutInterface layout, llvm::ArrayRef<int64_t> shape);
  /// The coordinate along `dim` of the elements with this register index.
  Coordinate get(unsigned dim, int64_t registerIndex) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  ThreadPosition position;
  llvm::SmallVector<mlir::AffineExpr> expressions;
  /// The coordinate of register index 0 along each dimension.
  llvm::SmallVector<mlir::Value> first;
};

} // namespace stof::tile

#endif // STOF_CONVERSION_TILETONVVM_COORDINATES_H

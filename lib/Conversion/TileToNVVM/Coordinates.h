//===----------------------------------------------------------------------===//
// Where a thread's elements lie in a tile. A coordinate is kept in two parts,
// so that what differs between registers ends up in the immediate of an
// address.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_COORDINATES_H
#define STOF_LIB_CONVERSION_TILETONVVM_COORDINATES_H

#include "stof/Tile/Tile.h"

namespace stof::tile {

/// `thread + constant`
struct Coordinate {
  /// The part that depends on the thread, an i32; null for zero.
  mlir::Value thread;
  int64_t constant = 0;
  /// Divides the part of every thread.
  int64_t divisor = 1;
  /// Exclusive bound of the part of every thread, 0 if not known.
  int64_t bound = 0;

  /// Whether `unit` divides the whole coordinate.
  bool isMultipleOf(int64_t unit) const {
    return constant % unit == 0 && (!thread || divisor % unit == 0);
  }
};

/// The calling thread, as i32: lane in the warp, warp in the block, both at
/// once.
struct ThreadPosition {
  mlir::Value lane, warp, thread;
  static ThreadPosition get(mlir::OpBuilder &builder, mlir::Location loc);
};

/// Integer helpers: i32 constants and arithmetic with a known operand.
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

/// `expr` over d0 = lane and d1 = warp as an i32; its value is never negative.
mlir::Value expandThreadExpr(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::AffineExpr expr,
                             const ThreadPosition &position);

/// `expr` over lane, warp and register with constants for some of them.
mlir::AffineExpr fixRegister(mlir::AffineExpr expr, int64_t registerIndex);
mlir::AffineExpr fixLane(mlir::AffineExpr expr, int64_t lane);

/// The whole coordinate as an i32 or as an index.
mlir::Value asI32(mlir::OpBuilder &builder, mlir::Location loc,
                  const Coordinate &coordinate);
mlir::Value asIndex(mlir::OpBuilder &builder, mlir::Location loc,
                    const Coordinate &coordinate);

/// The coordinates of the elements that the calling thread holds of a tile.
class TileCoordinates {
public:
  TileCoordinates(mlir::OpBuilder &builder, mlir::Location loc,
                  LayoutInterface layout, llvm::ArrayRef<int64_t> shape);
  /// Along `dim`, of the elements with this register index there.
  Coordinate get(unsigned dim, int64_t registerIndex) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  ThreadPosition position;
  llvm::SmallVector<mlir::AffineExpr> expressions;
  /// Along each dimension, of register index 0.
  llvm::SmallVector<mlir::Value> first;
};

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_COORDINATES_H

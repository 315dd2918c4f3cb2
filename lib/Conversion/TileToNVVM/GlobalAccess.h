//===----------------------------------------------------------------------===//
// Tiles in global memory: addresses and bounds of their elements, and the width
// of accesses.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_GLOBALACCESS_H
#define STOF_LIB_CONVERSION_TILETONVVM_GLOBALACCESS_H

#include "AccessDivisors.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"

#include "mlir/IR/BuiltinTypes.h"
#include <vector>

namespace stof::tile {

/// The global memory that a tile covers. The constructor emits the code that is
/// common to all accesses, so it must dominate them.
class GlobalTile {
public:
  GlobalTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memory,
             mlir::ValueRange indices, llvm::ArrayRef<int64_t> along,
             llvm::ArrayRef<int64_t> shape,
             const AccessDivisors::Access &divisors);

  mlir::Type getElementType() const { return type.getElementType(); }

  llvm::ArrayRef<int64_t> getShape() const { return shape; }

  /// The dimension of the tile along which memory is contiguous, or -1.
  int64_t getContiguousDim() const { return contiguous; }

  /// The largest power of two n <= `limit` such that n elements along the
  /// contiguous dimension are aligned to their total size, if their coordinate
  /// is a multiple of n.
  int64_t getAlignedElements(int64_t limit) const;

  /// Like `getAlignedElements`, and all or none of the elements are in bounds.
  int64_t getWholeElements(int64_t limit) const;

  /// Whether all coordinates along `dim` are in bounds.
  bool isAlwaysInside(unsigned dim) const { return !limits[dim]; }

  /// Whether the tile is fully in bounds along `dim` (i1).
  mlir::Value isWholeInside(mlir::OpBuilder &builder, unsigned dim) const;

  /// Whether a coordinate along `dim` is in bounds (i1); null for true.
  mlir::Value isInside(mlir::OpBuilder &builder, unsigned dim,
                       const Coordinate &coordinate) const;

  /// The address (ptr<1>) of the element at these coordinates.
  mlir::Value getAddress(mlir::OpBuilder &builder,
                         llvm::ArrayRef<Coordinate> coordinates) const;

private:
  mlir::Location loc;
  mlir::MemRefType type;
  AccessDivisors::Access divisors;
  llvm::SmallVector<int64_t> along, shape;
  int64_t contiguous = -1;
  mlir::Value base;
  /// Per dimension of the tile: the stride, static or as an i64, and the number
  /// of elements in bounds (i32), null for all.
  llvm::SmallVector<int64_t> strides;
  llvm::SmallVector<mlir::Value> strideValues, limits;
  /// Per dimension along which the tile is either fully in or fully out of
  /// bounds, whether it is in bounds (i1); else null.
  llvm::SmallVector<mlir::Value> wholes;
};

/// The global memory of each of the `blocks` of rows of a tile of `shape`.
std::vector<GlobalTile> getBlocks(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value memory, mlir::ValueRange indices,
                                  llvm::ArrayRef<int64_t> along,
                                  llvm::ArrayRef<int64_t> shape, int64_t blocks,
                                  const AccessDivisors::Access &divisors);

/// The conjunction of two predicates, where null is true.
mlir::Value andConditions(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lhs, mlir::Value rhs);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_GLOBALACCESS_H

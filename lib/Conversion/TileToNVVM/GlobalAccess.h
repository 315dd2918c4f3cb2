//===----------------------------------------------------------------------===//
// A tile's place in global memory: addresses of its elements, which of them lie
// inside, and how many can be moved at once.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_GLOBALACCESS_H
#define STOF_LIB_CONVERSION_TILETONVVM_GLOBALACCESS_H

#include "Coordinates.h"

#include "mlir/IR/BuiltinTypes.h"

namespace stof::tile {

/// The largest known number that divides `value` (0 if it is 0).
int64_t getKnownDivisor(mlir::Value value);

/// The memory that a tile covers. Computes what all threads share when it is
/// made, so make it before branching.
class GlobalTile {
public:
  GlobalTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memory,
             mlir::ValueRange indices, llvm::ArrayRef<int64_t> along,
             llvm::ArrayRef<int64_t> shape);

  mlir::Type getElementType() const { return type.getElementType(); }

  /// The dimension of the tile along which memory is contiguous, or -1.
  int64_t getContiguousDim() const { return contiguous; }

  /// A power of two of elements (at most `limit`) along the contiguous
  /// dimension that start at an address which is a multiple of their size, if
  /// their coordinates are multiples of that number.
  int64_t getAlignedElements(int64_t limit) const;

  /// Like `getAlignedElements`, but as well either all inside or none.
  int64_t getWholeElements(int64_t limit) const;

  /// Whether no coordinate along `dim` can lie outside.
  bool isAlwaysInside(unsigned dim) const { return !limits[dim]; }

  /// Whether the whole extent of the tile along `dim` is inside (i1).
  mlir::Value isWholeInside(mlir::OpBuilder &builder, unsigned dim) const;

  /// Whether a coordinate along `dim` is inside (i1); null for always.
  mlir::Value isInside(mlir::OpBuilder &builder, unsigned dim,
                       const Coordinate &coordinate) const;

  /// The address (ptr<1>) of the element at these coordinates.
  mlir::Value getAddress(mlir::OpBuilder &builder,
                         llvm::ArrayRef<Coordinate> coordinates) const;

private:
  /// A number that divides the distance between neighbours along a dimension
  /// of the memory.
  int64_t getStrideDivisor(int64_t dim) const;

  mlir::Location loc;
  mlir::MemRefType type;
  /// What is known of where the memory begins.
  int64_t offsetDivisor;
  llvm::SmallVector<mlir::Value> indices;
  llvm::SmallVector<int64_t> along, shape;
  int64_t contiguous = -1;
  mlir::Value base;
  /// Of each dimension of the tile: the distance of neighbours, known or as an
  /// i64, and how many elements of the tile are inside (i32), null for all.
  llvm::SmallVector<int64_t> strides;
  llvm::SmallVector<mlir::Value> strideValues, limits;
  /// Of each dimension along which the tile is either inside or outside as a
  /// whole, whether it is inside (i1).
  llvm::SmallVector<mlir::Value> wholes;
};

/// The conjunction of two conditions, either of which may be null for true.
mlir::Value andConditions(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lhs, mlir::Value rhs);

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_GLOBALACCESS_H

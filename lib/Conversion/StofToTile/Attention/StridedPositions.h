//===----------------------------------------------------------------------===//
// Positions at a constant stride: the queries of a residue class, or the keys
// of a lattice.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_STRIDEDPOSITIONS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_STRIDEDPOSITIONS_H

#include "mlir/IR/Builders.h"

namespace stof {

/// Position `offset` and every `stride`-th after it, `count` in all. The offset
/// is less than the stride, and null if that is 1.
struct StridedPositions {
  int64_t stride = 1;
  mlir::OpFoldResult offset = {};
  mlir::OpFoldResult count = {};

  /// Those of `length` positions.
  static StridedPositions get(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value length, int64_t stride,
                              mlir::OpFoldResult offset);

  /// The view of them in `buffer`, of batch x head x positions x ...
  mlir::Value view(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value buffer) const;

  mlir::Value getCount(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Whether they fill whole tiles of `tile` positions.
  bool fillTiles(int64_t tile) const;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_STRIDEDPOSITIONS_H

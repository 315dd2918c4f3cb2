//===----------------------------------------------------------------------===//
// Copies scalar code of a query and key coordinate, in i32 where value ranges
// allow it.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_NARROWBODY_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_NARROWBODY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof {

/// The largest magnitude for which sums of two values fit in i32.
inline constexpr int64_t narrowLimit = (int64_t(1) << 30) - 1;

/// An index, or a nonnegative i32 below `end`, which is at most narrowLimit.
struct PairCoordinate {
  PairCoordinate(mlir::Value value, int64_t end = 0) : value(value), end(end) {}

  mlir::Value getIndex(mlir::OpBuilder &builder) const;

  mlir::Value value;
  int64_t end;
};

/// Copies `body` with `coordinates` for `arguments`, and returns the yielded
/// values. `values` maps all other operands.
llvm::SmallVector<mlir::Value>
copyPairBody(mlir::OpBuilder &builder, mlir::Block &body,
             mlir::IRMapping &values,
             llvm::ArrayRef<mlir::BlockArgument> arguments,
             llvm::ArrayRef<PairCoordinate> coordinates);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_NARROWBODY_H

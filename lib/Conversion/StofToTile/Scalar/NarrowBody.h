//===----------------------------------------------------------------------===//
// Scalar code of a pair of positions, in 32 bits where all that it computes of
// them fits.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_NARROWBODY_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_NARROWBODY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof {

/// Numbers of which all sums of two are i32.
inline constexpr int64_t narrowLimit = (int64_t(1) << 30) - 1;

/// An index, or an i32 below `end`, which narrowLimit bounds.
struct PairCoordinate {
  PairCoordinate(mlir::Value value, int64_t end = 0) : value(value), end(end) {}

  mlir::Value getIndex(mlir::OpBuilder &builder) const;

  mlir::Value value;
  int64_t end;
};

/// Copies `body`, whose `arguments` are `coordinates`, and returns what it
/// yields. `values` maps all else that it takes.
llvm::SmallVector<mlir::Value>
copyPairBody(mlir::OpBuilder &builder, mlir::Block &body,
             mlir::IRMapping &values,
             llvm::ArrayRef<mlir::BlockArgument> arguments,
             llvm::ArrayRef<PairCoordinate> coordinates);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCALAR_NARROWBODY_H

//===----------------------------------------------------------------------===//
// Finds the scatters that update their originals in place.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERPLAN_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERPLAN_H

#include "stof/IR/Stof.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace stof {

/// Decides for each scatter of a function whether it may write to the buffer of
/// its original. The plan precedes lowering, as the buffer of an original is
/// chosen by the result that it ends up in.
class ScatterPlan {
public:
  /// `donated` marks the arguments whose buffers may be overwritten.
  ScatterPlan(mlir::func::FuncOp function, const llvm::SmallBitVector &donated);

  /// Whether `op` writes to the buffer of its original.
  bool isInPlace(ScatterOp op) const { return reasons.lookup(op).empty(); }

  /// The reason for a copy.
  llvm::StringRef getReason(ScatterOp op) const {
    assert(reasons.contains(op) && "expects a scatter of the function");
    return reasons.find(op)->second;
  }

  /// The first value in the buffer of `value`, found through reshapes, slices
  /// and scatters in place.
  mlir::Value getFirst(mlir::Value value) const;

private:
  std::string findObstacle(ScatterOp op);
  bool isReadAfter(mlir::Value value, ScatterOp op) const;

  llvm::SmallBitVector donated;
  llvm::MapVector<mlir::Operation *, std::string> reasons;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERPLAN_H

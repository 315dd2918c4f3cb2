//===----------------------------------------------------------------------===//
// Which scatters write where their originals lie.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERPLAN_H
#define STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERPLAN_H

#include "stof/IR/Stof.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace stof {

/// Decides for each scatter of a function whether it may write the buffer of
/// its original, before anything is lowered: whoever makes that buffer can then
/// choose it as the function's result needs it.
class ScatterPlan {
public:
  /// `donated` are the arguments whose buffers may be written.
  ScatterPlan(mlir::func::FuncOp function, const llvm::SmallBitVector &donated);

  /// Whether `op` writes the buffer of its original.
  bool isInPlace(ScatterOp op) const { return reasons.lookup(op).empty(); }

  /// Why it does not.
  llvm::StringRef getReason(ScatterOp op) const {
    return reasons.find(op)->second;
  }

  /// The value that was first to lie in the buffer of `value`: the one that
  /// reshapes, slices and scatters in place show another state of.
  mlir::Value getFirst(mlir::Value value) const;

private:
  std::string findObstacle(ScatterOp op);
  bool isReadAfter(mlir::Value value, ScatterOp op) const;

  llvm::SmallBitVector donated;
  llvm::MapVector<mlir::Operation *, std::string> reasons;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_SCATTER_SCATTERPLAN_H

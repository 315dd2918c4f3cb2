//===----------------------------------------------------------------------===//
// Dimensions of tensors that have one size because of how operations use them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RECOVERSIZES_DIMCLASSES_H
#define STOF_LIB_TRANSFORMS_RECOVERSIZES_DIMCLASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// Classes of dimensions: those that a loop of linalg indexes, that a cast or a
/// view leaves as they are, and those of a result and its destination.
class DimClasses {
public:
  struct Dim {
    mlir::Value tensor;
    int64_t dim;
  };

  explicit DimClasses(mlir::func::FuncOp function);

  /// Each class, its members in the order of the function.
  std::vector<llvm::SmallVector<Dim>> list();

private:
  void add(mlir::Value tensor);
  void join(mlir::Operation *op);
  void join(mlir::Value lhs, int64_t lhsDim, mlir::Value rhs, int64_t rhsDim);
  unsigned find(unsigned id);

  llvm::DenseMap<mlir::Value, unsigned> first;
  std::vector<Dim> dims;
  std::vector<unsigned> parents;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_RECOVERSIZES_DIMCLASSES_H

//===----------------------------------------------------------------------===//
// Equivalence classes of tensor dimensions that operations require to be equal.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_RECOVERSIZES_DIMCLASSES_H
#define STOF_LIB_TRANSFORMS_RECOVERSIZES_DIMCLASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// Classes of dimensions: those indexed by one loop of linalg, preserved by a
/// cast or a reshape, or shared by a result and its destination.
class DimClasses {
public:
  struct Dim {
    mlir::Value tensor;
    int64_t dim;
  };

  explicit DimClasses(mlir::func::FuncOp function);

  /// The classes, with their members in program order.
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

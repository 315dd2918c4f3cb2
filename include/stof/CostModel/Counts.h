//===----------------------------------------------------------------------===//
// Numbers of elements and bytes, with dynamic sizes estimated.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_COUNTS_H
#define STOF_COSTMODEL_COUNTS_H

#include "stof/Fusion/GroupPlan.h"

namespace stof {

/// Stands for the product of all dynamic sizes of a tensor or loop nest, which
/// makes the estimate independent of how reshapes divide dims.
inline constexpr int64_t middleSize = 4096;

/// The product of `sizes`, some of which may be dynamic.
double countAll(llvm::ArrayRef<int64_t> sizes);

/// The product of the extents of `dimFactors`.
double countOf(const GroupPlan &plan, llvm::ArrayRef<unsigned> dimFactors);

/// Whether all extents of `dimFactors` are static.
bool areStatic(const GroupPlan &plan, llvm::ArrayRef<unsigned> dimFactors);

/// Whether the sizes of all operations are static.
bool areAllStatic(const GroupPlan &plan);

/// The number of result elements of a contraction, regardless of dim factors.
double countElements(mlir::linalg::LinalgOp contraction);

double countBytes(mlir::Value value);

} // namespace stof

#endif // STOF_COSTMODEL_COUNTS_H

//===----------------------------------------------------------------------===//
// How many elements and bytes there are; of what is not known before run time
// as if it were of middle size.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_COUNTS_H
#define STOF_COSTMODEL_COUNTS_H

#include "stof/Fusion/GroupPlan.h"

namespace stof {

/// The product of sizes, of which some may not be known.
double countAll(llvm::ArrayRef<int64_t> sizes);

/// How many values `digits` of `plan` have together.
double countOf(const GroupPlan &plan, llvm::ArrayRef<unsigned> digits);

/// The elements of a product, however digits divide its loops.
double countElements(mlir::linalg::LinalgOp product);

/// The bytes of a tensor.
double countBytes(mlir::Value value);

} // namespace stof

#endif // STOF_COSTMODEL_COUNTS_H

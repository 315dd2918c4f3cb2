//===----------------------------------------------------------------------===//
// Classification of the bodies of linalg operations.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_LINALGUTILS_H
#define STOF_FUSION_LINALGUTILS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// Whether `op` is a multiply-accumulate of two operands, with no other
/// arithmetic than extending them first.
bool isPlainContraction(mlir::linalg::LinalgOp op);

/// The neutral element of the binary operation `combiner`, if it has one.
/// Minima and maxima of indices have none, since an index has no fixed width.
std::optional<mlir::TypedAttr> findNeutralElement(mlir::Operation *combiner);

} // namespace stof

#endif // STOF_FUSION_LINALGUTILS_H

//===----------------------------------------------------------------------===//
// What the bodies of linalg operations compute.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_BODIES_H
#define STOF_FUSION_BODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// Whether `op` adds up the products of two operands' elements, and does
/// nothing else to them but extend them first.
bool isPlainContraction(mlir::linalg::LinalgOp op);

/// The element that `combiner`, an operation on two values, leaves the other
/// one as it is with; nothing if there is none. An index has no width to find
/// its largest and smallest values by.
std::optional<mlir::TypedAttr> findNeutralElement(mlir::Operation *combiner);

} // namespace stof

#endif // STOF_FUSION_BODIES_H

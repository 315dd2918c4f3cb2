//===----------------------------------------------------------------------===//
// Functions of f32 for results that are rounded to 16 bits or fewer.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_NARROWFUNCTIONS_H
#define STOF_LIB_CONVERSION_EXPANDMATH_NARROWFUNCTIONS_H

#include "Arithmetic.h"

namespace stof {

mlir::Value expandNarrowErf(const Arithmetic &a, mlir::Value x);
mlir::Value expandNarrowTanh(const Arithmetic &a, mlir::Value x);

/// Results below 2^-126 become 0.
mlir::Value expandNarrowExp(const Arithmetic &a, mlir::Value x);

/// A quotient with an error of two units in the last place; 0 or NaN for
/// divisors above 2^126, and undefined for those below 2^-126.
mlir::Value divideApproximately(const Arithmetic &a, mlir::Value lhs,
                                mlir::Value rhs);

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_NARROWFUNCTIONS_H

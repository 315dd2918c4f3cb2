//===----------------------------------------------------------------------===//
// Expansions of functions of f32.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H
#define STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

#include "Arithmetic.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {

/// Adds exp, expm1, log10, powf, cbrt, asinh, sin, cos, atan and atan2, and
/// exp2 if asked.
void populateFunctionPatterns(mlir::RewritePatternSet &patterns,
                              bool expandExp2);

/// Adds erf, tanh and exp of 16-bit floats, roots of their constants, and
/// quotients of f16.
void populateNarrowFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

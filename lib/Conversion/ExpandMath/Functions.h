//===----------------------------------------------------------------------===//
// Expansions of functions of f32.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H
#define STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

#include "Arithmetic.h"

#include "mlir/IR/PatternMatch.h"

namespace stof {

/// Adds expm1, log10, powf, cbrt, asinh, sin, cos, atan and atan2. They come
/// before upstream's patterns but for those that simplify, as do the next.
void populateFunctionPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp by way of exp2, for targets with an instruction for that.
void populateExpPatterns(mlir::RewritePatternSet &patterns);

/// Adds exp2, for targets without one.
void populateExp2Patterns(mlir::RewritePatternSet &patterns);

/// Adds erf, tanh and exp of 16-bit floats, roots of their constants, and
/// quotients of f16.
void populateNarrowFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

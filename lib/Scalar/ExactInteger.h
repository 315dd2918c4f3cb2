//===----------------------------------------------------------------------===//
// Integers that are computed in floats.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SCALAR_EXACTINTEGER_H
#define STOF_LIB_SCALAR_EXACTINTEGER_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// The integer that a float expression computes without rounding, or null.
const Expr *findExactInteger(ExprContext &context, const Expr *expr);

} // namespace stof

#endif // STOF_LIB_SCALAR_EXACTINTEGER_H

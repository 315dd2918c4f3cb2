//===----------------------------------------------------------------------===//
// Predicates on coordinates that no rule proves, checked by exhaustive
// evaluation. Example: buckets of relative positions, which are computed with
// logarithms, are in bounds of their table.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_EVERYCOORDINATE_H
#define STOF_SCALAR_EVERYCOORDINATE_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// Whether `predicate` holds for every value of its variables. Returns false if
/// an extent is not constant, the values are too many to try, or other inputs
/// occur. It must hold as well if real numbers are off by a relative error of
/// 1e-4 where they become integers, since devices round differently.
bool holdsForEveryCoordinate(ExprContext &context, const Expr *predicate);

} // namespace stof

#endif // STOF_SCALAR_EVERYCOORDINATE_H

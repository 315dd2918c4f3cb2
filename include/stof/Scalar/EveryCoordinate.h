//===----------------------------------------------------------------------===//
// Truths about coordinates that no rule shows, found by trying all of them: the
// buckets of relative positions, of which logarithms take part, lie inside of
// their table.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_EVERYCOORDINATE_H
#define STOF_SCALAR_EVERYCOORDINATE_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// Whether `truth` is true for every value of its variables, which is found out
/// where these have constant extents, are not too many to try, and nothing else
/// takes part. Real numbers that become integers may be off by a ten-thousandth
/// of their value, as different devices round differently.
bool holdsForEveryCoordinate(ExprContext &context, const Expr *truth);

} // namespace stof

#endif // STOF_SCALAR_EVERYCOORDINATE_H

//===----------------------------------------------------------------------===//
// Intersection and difference of lists of intervals of key tiles
// (`#stof.interval`), each of which stands for the union of its intervals.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_INTERVALSETS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_INTERVALSETS_H

#include "stof/IR/Stof.h"

namespace stof {

/// The key tiles in an interval of `lhs` and in one of `rhs`. Intervals may
/// overlap; those that are known to be empty are left out.
mlir::ArrayAttr intersectIntervals(mlir::ArrayAttr lhs, mlir::ArrayAttr rhs);

/// The key tiles in an interval of `lhs` and in none of `rhs`, likewise.
mlir::ArrayAttr subtractIntervals(mlir::ArrayAttr lhs, mlir::ArrayAttr rhs);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_INTERVALSETS_H

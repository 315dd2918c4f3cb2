//===----------------------------------------------------------------------===//
// Interval arithmetic over the operations of scalar expressions: the ranges of
// nodes, of masks over boxes of positions, and of scores.
//
// The helpers of mlir::intrange do not serve here: their ranges are of numbers
// modulo 2^64, signed and unsigned at once, where an unknown bound cannot be
// told from a large one, and they are made for each operation of a program
// rather than for each node and box.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_SCALARRANGE_H
#define STOF_SCALAR_SCALARRANGE_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// The range of an operation of integers or logic for operands in these ranges.
/// Nothing is known of results that may not fit in 64 bits.
IntegerRange inferRange(ScalarOp op, llvm::ArrayRef<IntegerRange> operands);

/// The range of a sum of `factors` times terms in these ranges, plus a number.
/// Unknown terms are assumed to be at most 2^60 in magnitude, since code that
/// counts in 64 bits does not wrap: `a - b < 0` is `a < b`.
IntegerRange inferSum(llvm::ArrayRef<IntegerRange> terms,
                      llvm::ArrayRef<int64_t> factors, int64_t constant);

/// The range of the integers of a type.
IntegerRange getTypeRange(mlir::Type type, bool isSigned);

/// The range of `expr`, a function of integers, for operands in these ranges.
IntegerRange inferRange(const Expr *expr,
                        llvm::ArrayRef<IntegerRange> operands);

/// Whether a comparison has one result for all numbers of two ranges.
std::optional<bool> decide(mlir::arith::CmpIPredicate predicate,
                           IntegerRange lhs, IntegerRange rhs);

/// A range of real numbers.
struct RealRange {
  double lo, hi;
};

/// The range of a float operation on real numbers in these ranges.
RealRange inferRange(ScalarOp op, llvm::ArrayRef<RealRange> operands);

} // namespace stof

#endif // STOF_SCALAR_SCALARRANGE_H

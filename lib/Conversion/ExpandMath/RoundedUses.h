//===----------------------------------------------------------------------===//
// The analysis of values that are rounded to 16 bits or fewer before anything
// else depends on their last bits.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_ROUNDEDUSES_H
#define STOF_LIB_CONVERSION_EXPANDMATH_ROUNDEDUSES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace stof {

/// The floats of which every use ends in an `arith.truncf` to at most 16 bits
/// and 11 bits of mantissa, through operations that keep a relative error: a
/// relative error of such a value, as long as it is normal, is at most four
/// times as large where it is rounded.
///
/// Products, quotients, signs, and selections of values keep it, and so do
/// vectors made of elements. A sum does not, since it may cancel, other than
/// that of a power and a positive constant. All else demands the full accuracy:
/// terminators and with them results of functions, branches and loops, stores,
/// and operations that are unknown here.
///
/// Values are visited once, uses before definitions. The answers are those for
/// the operations at the time of the construction.
class RoundedUses {
public:
  explicit RoundedUses(mlir::Operation *root);

  bool contains(mlir::Value value) const { return factors.contains(value); }

private:
  /// The factor by which the error of `use` is larger where it is rounded, or 0
  /// if it is not.
  unsigned getFactor(mlir::OpOperand &use) const;
  unsigned getFactor(mlir::Value value) const;

  llvm::DenseMap<mlir::Value, unsigned> factors;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_ROUNDEDUSES_H

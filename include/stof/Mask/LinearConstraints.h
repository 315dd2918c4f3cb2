//===----------------------------------------------------------------------===//
// Linear inequalities over integers, and the projection of some of their
// variables (Fourier-Motzkin) with overflow checks.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_LINEARCONSTRAINTS_H
#define STOF_MASK_LINEARCONSTRAINTS_H

#include "mlir/Analysis/Presburger/IntegerRelation.h"

namespace stof {

/// a b + c d; nothing if it is too large for further arithmetic.
std::optional<int64_t> addProducts(int64_t a, int64_t b, int64_t c, int64_t d);

/// Whether the coefficients of `disjunct` are so small that negating them or
/// adding a few of them cannot overflow.
bool hasSmallNumbers(const mlir::presburger::IntegerRelation &disjunct);

class LinearConstraints {
public:
  /// The constraint that a sum over the columns, the last one the constant 1,
  /// is not negative.
  using Row = llvm::SmallVector<int64_t, 8>;

  /// The constraints of `disjunct`, equalities as two inequalities, each
  /// rewritten by `rewrite`; nothing if that fails or numbers are too large.
  static std::optional<LinearConstraints>
  get(const mlir::presburger::IntegerRelation &disjunct,
      llvm::function_ref<std::optional<Row>(llvm::ArrayRef<int64_t>)> rewrite);

  void add(Row row);
  /// Projects column `column` out; false if numbers grow too large or too many
  /// rows remain.
  bool eliminate(unsigned column);

  llvm::ArrayRef<Row> getRows() const { return rows; }
  /// Whether the rows describe the integer projection exactly; otherwise they
  /// describe a superset.
  bool isExact() const { return exact; }

private:
  /// Whether `row` may hold together with all rows.
  bool canHold(const Row &row) const;

  bool exact = true;
  llvm::SmallVector<Row> rows;
};

} // namespace stof

#endif // STOF_MASK_LINEARCONSTRAINTS_H

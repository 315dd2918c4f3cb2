//===----------------------------------------------------------------------===//
// Linear inequalities over integers, and the projection of some of their
// variables (Fourier-Motzkin) in numbers that never wrap around.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_LINEARCONSTRAINTS_H
#define STOF_MASK_LINEARCONSTRAINTS_H

#include "mlir/Analysis/Presburger/IntegerRelation.h"

namespace stof {

/// a b + c d; nothing if it is too large to be computed with.
std::optional<int64_t> addProducts(int64_t a, int64_t b, int64_t c, int64_t d);

/// Whether the numbers in `piece` are so small that a product with a sign or a
/// few of their sums do not wrap.
bool hasSmallNumbers(const mlir::presburger::IntegerRelation &piece);

class LinearConstraints {
public:
  /// Says that a sum over the columns, the last one the constant 1, is not
  /// negative.
  using Row = llvm::SmallVector<int64_t, 8>;

  /// The constraints of `piece`, equalities as two inequalities, each as
  /// `rewrite` writes it; nothing if it writes nothing for one, or numbers are
  /// too large.
  static std::optional<LinearConstraints>
  get(const mlir::presburger::IntegerRelation &piece,
      llvm::function_ref<std::optional<Row>(llvm::ArrayRef<int64_t>)> rewrite);

  void add(Row row);
  /// Projects column `column` out; false if numbers grow too large, or too many
  /// rows are left.
  bool eliminate(unsigned column);

  llvm::ArrayRef<Row> getRows() const { return rows; }
  /// Whether nothing but what was projected is left; else more is.
  bool isExact() const { return exact; }

private:
  /// Whether `row` may hold beside all others.
  bool canHold(const Row &row) const;

  bool exact = true;
  llvm::SmallVector<Row> rows;
};

} // namespace stof

#endif // STOF_MASK_LINEARCONSTRAINTS_H

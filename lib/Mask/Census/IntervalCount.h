//===----------------------------------------------------------------------===//
// The number of pairs (row, column) of a convex set, as an expression.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_MASK_CENSUS_INTERVALCOUNT_H
#define STOF_LIB_MASK_CENSUS_INTERVALCOUNT_H

#include "stof/Mask/Census/SymbolicCount.h"

namespace stof {

/// The obstacle of a count beyond the limits of length or parts.
inline constexpr llvm::StringLiteral countIsTooLong =
    "its counts are expressions that are too long";

/// Counts the pairs (row, column) of an interval.
class IntervalCount {
public:
  explicit IntervalCount(llvm::ArrayRef<CountSymbol> symbols)
      : symbols(symbols) {
    for (const CountSymbol &symbol : symbols) {
      values.push_back(CountExpr::symbol(symbol.name));
      if (symbol.isSize)
        addFact(values.size() - 1, 1, {}, 0);
    }
  }

  /// Nothing, with the reason in `obstacle`, if the count depends on a symbol
  /// with an obstacle, has too many parts or too large numbers.
  std::optional<CountExpr> count(TileInterval interval, std::string &obstacle);

private:
  /// A sum over the row, the symbols and the constant 1.
  using Row = llvm::SmallVector<int64_t, 8>;

  /// The rows where no guard is negative.
  struct Part {
    llvm::SmallVector<TileBound, 2> lower, upper;
    llvm::SmallVector<Row> guards;
  };

  /// Rows from `begin` on, `count` of them if `condition` is 1, else none.
  struct RowRange {
    CountExpr begin, count, condition;
  };

  void addFact(unsigned symbol, int64_t factor, llvm::ArrayRef<int64_t> rest,
               int64_t constant);
  Row widen(llvm::ArrayRef<int64_t> row) const;
  bool isPossible(llvm::ArrayRef<Row> guards, const Row *more = nullptr) const;
  bool isCertain(llvm::ArrayRef<Row> guards, const Row &row) const;
  bool isLimit(const TileBound &guard) const;
  void dropRedundant(TileInterval &interval) const;
  TileBound normalize(TileBound bound);
  std::optional<Row> compare(const TileBound &lhs, const TileBound &rhs) const;
  bool split(Part part);
  bool add(Part part, bool ordered);
  bool excludeReversed(Part &part, bool ordered) const;
  void dropCertain(llvm::SmallVector<Row> &guards) const;
  std::optional<RowRange> findRows(llvm::ArrayRef<Row> guards) const;
  bool divide(const Part &part, llvm::SmallVector<TileBound, 2> Part::*side,
              bool least, bool &divided);
  CountExpr express(llvm::ArrayRef<int64_t> row, const CountExpr &at) const;

  llvm::ArrayRef<CountSymbol> symbols;
  /// The symbols: those of the set, then floors of their sums.
  std::vector<CountExpr> values;
  /// Inequalities that hold for the symbols.
  llvm::SmallVector<Row> facts;
  CountExpr total;
  unsigned parts = 0;
};

} // namespace stof

#endif // STOF_LIB_MASK_CENSUS_INTERVALCOUNT_H

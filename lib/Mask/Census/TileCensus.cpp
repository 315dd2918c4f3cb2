//===----------------------------------------------------------------------===//
// Tile counts by summation. For one row tile, the tiles of each kind are a
// union of intervals whose ends are floors of affine functions of the row tile.
// Except near the points where two ends cross, the count is such a function
// itself: its values grow by equal steps over a period, so a sum over any
// number of row tiles takes a few evaluations.
//===----------------------------------------------------------------------===//

#include "stof/Mask/Census/TileCensus.h"

#include "stof/Mask/LinearConstraints.h"

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof;
using presburger::IntegerRelation;
using presburger::PresburgerSet;

//===----------------------------------------------------------------------===//
// Sums of piecewise linear functions
//===----------------------------------------------------------------------===//

namespace {

/// An end of an interval for given symbols:
/// floor((slope i + offset) / divisor).
struct End {
  int64_t slope, offset, divisor;
};

class Summation {
public:
  Summation(int64_t count, ArrayRef<int64_t> symbols)
      : count(count), symbols(symbols) {}

  /// Adds the ends and guards of `interval`.
  void add(const TileInterval &interval) {
    for (const auto *list :
         {&interval.lower, &interval.upper, &interval.guards})
      for (const TileBound &bound : *list)
        add(bound);
  }
  void add(int64_t constant) { ends.push_back({0, constant, 1}); }

  struct Sum {
    int64_t total = 0;
    /// The greatest term; 0 if all are negative.
    int64_t greatest = 0;
  };

  /// The sum of `function` over 0 .. count. It must combine the ends by
  /// minimum, maximum, addition and comparison only.
  Sum sum(llvm::function_ref<int64_t(int64_t)> function) const;

private:
  void add(const TileBound &bound) {
    int64_t offset = bound.coefficients.back();
    for (auto [coefficient, symbol] : llvm::zip(
             ArrayRef(bound.coefficients).drop_front().drop_back(), symbols))
      offset += coefficient * symbol;
    ends.push_back({bound.coefficients.front(), offset, bound.divisor});
  }

  int64_t count;
  ArrayRef<int64_t> symbols;
  SmallVector<End> ends;
};

} // namespace

Summation::Sum
Summation::sum(llvm::function_ref<int64_t(int64_t)> function) const {
  // The order of two ends may change where they differ by less than one, or
  // anywhere if their coefficients are too large to decide.
  SmallVector<std::pair<int64_t, int64_t>> irregular;
  int64_t period = 1;
  for (auto [number, lhs] : llvm::enumerate(ends)) {
    // All periods beyond the range are equivalent.
    int64_t own = lhs.divisor / std::gcd(lhs.slope, lhs.divisor);
    period = std::min(std::lcm(period, std::min(own, count + 1)), count + 1);
    for (const End &rhs : ArrayRef(ends).drop_front(number + 1)) {
      auto slope = addProducts(lhs.slope, rhs.divisor, -rhs.slope, lhs.divisor);
      auto offset =
          addProducts(lhs.offset, rhs.divisor, -rhs.offset, lhs.divisor);
      auto unit = addProducts(lhs.divisor, rhs.divisor, 0, 0);
      if (!slope || !offset || !unit) {
        irregular.push_back({0, count});
        continue;
      }
      if (*slope == 0)
        continue;
      if (*slope < 0) {
        slope = -*slope;
        offset = -*offset;
      }
      int64_t first = llvm::divideFloorSigned(-*offset - *unit, *slope);
      int64_t last = llvm::divideCeilSigned(-*offset + *unit, *slope);
      irregular.push_back(
          {std::max<int64_t>(first, 0), std::min<int64_t>(last + 1, count)});
    }
  }
  llvm::sort(irregular);
  Sum sum;
  int64_t position = 0;
  auto one_by_one = [&](int64_t end) {
    for (; position < end; ++position) {
      int64_t term = function(position);
      sum.total += term;
      sum.greatest = std::max(sum.greatest, term);
    }
  };
  auto regular = [&](int64_t end) {
    if (end - position <= 4 * period)
      return one_by_one(end);
    int64_t steps = (end - position) / period;
    for (int64_t phase = 0; phase < period; ++phase) {
      int64_t start = function(position + phase);
      int64_t step = function(position + phase + period) - start;
      sum.total += steps * start + steps * (steps - 1) / 2 * step;
      int64_t last = start + (steps - 1) * step;
      sum.greatest = std::max({sum.greatest, start, last});
    }
    position += steps * period;
    one_by_one(end);
  };
  for (auto [first, last] : irregular) {
    if (last <= position || first >= last)
      continue;
    if (first > position)
      regular(first);
    one_by_one(last);
  }
  regular(count);
  return sum;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

using Span = std::pair<int64_t, int64_t>;

/// The length of the union of `spans`, which are sorted in place.
static int64_t unionLength(SmallVectorImpl<Span> &spans) {
  llvm::sort(spans);
  int64_t length = 0, reached = 0;
  for (auto [begin, end] : spans) {
    begin = std::max(begin, reached);
    if (begin < end) {
      length += end - begin;
      reached = end;
    }
  }
  return length;
}

TileCensus stof::countTiles(ArrayRef<TileInterval> visited,
                            ArrayRef<TileInterval> open, int64_t rowTiles,
                            int64_t keyTiles, ArrayRef<int64_t> symbols) {
  Summation summation(rowTiles, symbols);
  summation.add(0);
  summation.add(keyTiles);
  for (ArrayRef<TileInterval> list : {visited, open})
    for (const TileInterval &interval : list)
      summation.add(interval);
  auto spansAt = [&](ArrayRef<TileInterval> list, int64_t rowTile) {
    return llvm::map_to_vector(list, [&](const TileInterval &interval) {
      return interval.at(rowTile, keyTiles, symbols);
    });
  };
  TileCensus census;
  Summation::Sum touched = summation.sum([&](int64_t rowTile) {
    auto spans = spansAt(visited, rowTile);
    return unionLength(spans);
  });
  // |V and O| = |V| + |O| - |V or O|.
  Summation::Sum either = summation.sum([&](int64_t rowTile) {
    auto spans = spansAt(visited, rowTile);
    llvm::append_range(spans, spansAt(open, rowTile));
    return unionLength(spans);
  });
  Summation::Sum opened = summation.sum([&](int64_t rowTile) {
    auto spans = spansAt(open, rowTile);
    return unionLength(spans);
  });
  census.partial = touched.total + opened.total - either.total;
  census.full = touched.total - census.partial;
  census.empty = rowTiles * keyTiles - touched.total;
  census.longest = touched.greatest;
  return census;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// The number of pairs of one convex disjunct.
static std::optional<int64_t> countDisjunct(const IntegerRelation &disjunct,
                                            int64_t queries,
                                            ArrayRef<int64_t> symbols) {
  if (disjunct.isIntegerEmpty())
    return 0;
  std::optional<TileInterval> interval = findKeysOfRow(disjunct);
  if (!interval)
    return std::nullopt;
  Summation summation(queries, symbols);
  summation.add(*interval);
  summation.add(0);
  // The domain bounds every disjunct on both sides.
  return summation
      .sum([&](int64_t query) -> int64_t {
        for (const TileBound &guard : interval->guards)
          if (guard.at(query, symbols) < 0)
            return 0;
        int64_t begin = std::numeric_limits<int64_t>::min(),
                end = std::numeric_limits<int64_t>::max();
        for (const TileBound &bound : interval->lower)
          begin = std::max(begin, bound.at(query, symbols));
        for (const TileBound &bound : interval->upper)
          end = std::min(end, bound.at(query, symbols));
        return begin < end ? end - begin : 0;
      })
      .total;
}

namespace {
/// Counts a union by inclusion and exclusion. Set differences of the library
/// are unreliable in the presence of divisions, intersections are not.
class UnionCount {
public:
  UnionCount(ArrayRef<IntegerRelation> disjuncts, int64_t queries,
             ArrayRef<int64_t> symbols)
      : disjuncts(disjuncts), queries(queries), symbols(symbols) {}

  std::optional<int64_t> count() {
    for (size_t first = 0; first < disjuncts.size(); ++first)
      if (!add(disjuncts[first], first + 1, /*sign=*/1))
        return std::nullopt;
    return total;
  }

private:
  /// The most intersections that are counted.
  static constexpr unsigned maxIntersections = 256;

  /// Adds `sign` times the pairs of `common`, and the terms of its
  /// intersections with the disjuncts from `next` on.
  bool add(const IntegerRelation &common, size_t next, int64_t sign) {
    if (++intersections > maxIntersections)
      return false;
    if (common.isIntegerEmpty())
      return true;
    std::optional<int64_t> pairs = countDisjunct(common, queries, symbols);
    if (!pairs)
      return false;
    total += sign * *pairs;
    for (size_t other = next; other < disjuncts.size(); ++other)
      if (!add(common.intersect(disjuncts[other]), other + 1, -sign))
        return false;
    return true;
  }

  ArrayRef<IntegerRelation> disjuncts;
  int64_t queries;
  ArrayRef<int64_t> symbols;
  unsigned intersections = 0;
  int64_t total = 0;
};
} // namespace

std::optional<int64_t> stof::countPairs(const PresburgerSet &set,
                                        int64_t queries,
                                        ArrayRef<int64_t> symbols) {
  return UnionCount(set.getAllDisjuncts(), queries, symbols).count();
}

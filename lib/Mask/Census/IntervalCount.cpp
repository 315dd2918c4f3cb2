//===----------------------------------------------------------------------===//
// Counts the columns of rows whose ends are floors of affine functions.
//===----------------------------------------------------------------------===//

#include "IntervalCount.h"

#include "stof/Mask/LinearConstraints.h"

#include "mlir/Analysis/Presburger/Simplex.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::PresburgerSpace;
using presburger::Simplex;

/// The most parts; longer sums are unreadable.
static constexpr unsigned maxParts = 16;

/// The name of the row in sums.
static constexpr StringLiteral rowName = "i0";

using Row = SmallVector<int64_t, 8>;

/// `row` with columns for all current symbols.
Row IntervalCount::widen(ArrayRef<int64_t> row) const {
  assert(row.size() <= values.size() + 2 && "symbols are only added");
  Row wide(row.drop_back());
  wide.resize(values.size() + 1, 0);
  wide.push_back(row.back());
  return wide;
}

/// Adds the fact that factor symbol + rest + constant is not negative.
void IntervalCount::addFact(unsigned symbol, int64_t factor,
                            ArrayRef<int64_t> rest, int64_t constant) {
  Row row(rest);
  row.resize(values.size() + 1, 0);
  row[1 + symbol] += factor;
  row.push_back(constant);
  facts.push_back(row);
}

static Row negate(Row row) {
  for (int64_t &value : row)
    value = -value;
  --row.back();
  return row;
}

bool IntervalCount::isPossible(ArrayRef<Row> guards, const Row *more) const {
  IntegerPolyhedron rows(PresburgerSpace::getSetSpace(1 + values.size()));
  for (ArrayRef<Row> list : {ArrayRef(facts), guards})
    for (const Row &row : list)
      rows.addInequality(widen(row));
  if (more)
    rows.addInequality(widen(*more));
  return !Simplex(rows).isEmpty();
}

bool IntervalCount::isCertain(ArrayRef<Row> guards, const Row &row) const {
  Row opposite = negate(row);
  return !isPossible(guards, &opposite);
}

/// Whether `guard` says that a size is below 2^31, which holds for all sizes.
bool IntervalCount::isLimit(const TileBound &guard) const {
  int64_t sum = 0;
  for (auto [number, factor] :
       llvm::enumerate(ArrayRef(guard.coefficients).drop_back())) {
    if (factor > 0 ||
        (factor < 0 && (number == 0 || !symbols[number - 1].isSize)))
      return false;
    sum -= factor;
  }
  return sum == 1 &&
         guard.coefficients.back() == std::numeric_limits<int32_t>::max();
}

/// Removes the bounds and guards that are implied by the others.
void IntervalCount::dropRedundant(TileInterval &interval) const {
  llvm::erase_if(interval.guards,
                 [&](const TileBound &guard) { return isLimit(guard); });
  // Inequalities over the row, the column and the symbols, with their origins.
  using Wide = std::pair<Row, std::pair<SmallVector<TileBound, 2> *, size_t>>;
  SmallVector<Wide> rows;
  auto insert = [&](SmallVector<TileBound, 2> &list, int64_t sign) {
    for (auto [number, bound] : llvm::enumerate(list)) {
      Row row{bound.coefficients.front(), -sign * bound.divisor};
      row.append(bound.coefficients.begin() + 1, bound.coefficients.end());
      if (sign < 0)
        for (unsigned column = 0; column < row.size(); ++column)
          row[column] = column == 1 ? bound.divisor : -row[column];
      // j >= floor(x / d) iff d j - x + d - 1 >= 0,
      // j < floor(x / d) iff x - d (j + 1) >= 0.
      row.back() += sign < 0 ? bound.divisor - 1 : 0;
      row.back() -= sign > 0 ? bound.divisor : 0;
      rows.push_back({row, {&list, number}});
    }
  };
  insert(interval.lower, -1);
  insert(interval.upper, 1);
  insert(interval.guards, 0);
  SmallVector<bool> dropped(rows.size(), false);
  for (size_t number = rows.size(); number-- > 0;) {
    IntegerPolyhedron others(PresburgerSpace::getSetSpace(2 + values.size()));
    for (const Row &fact : facts) {
      Row wide(fact);
      wide.insert(wide.begin() + 1, 0);
      others.addInequality(wide);
    }
    for (size_t other = 0; other < rows.size(); ++other)
      if (!dropped[other])
        others.addInequality(other == number ? negate(rows[other].first)
                                             : rows[other].first);
    dropped[number] = Simplex(others).isEmpty();
    if (dropped[number]) {
      auto [list, index] = rows[number].second;
      list->erase(list->begin() + index);
    }
  }
}

/// `bound` with the divisor 1 if the slope is a multiple of the divisor: the
/// floor of the rest then depends on symbols only and becomes a symbol itself.
TileBound IntervalCount::normalize(TileBound bound) {
  int64_t slope = bound.coefficients.front(), divisor = bound.divisor;
  if (slope % divisor != 0) {
    bound.coefficients = widen(bound.coefficients);
    return bound;
  }
  TileBound whole{{slope / divisor}, 1};
  whole.coefficients = widen({slope / divisor, 0});
  Row rest = widen(bound.coefficients);
  rest.front() = 0;
  bool isConstant = llvm::all_of(ArrayRef(rest).drop_back(),
                                 [](int64_t factor) { return factor == 0; });
  if (isConstant) {
    whole.coefficients.back() = llvm::divideFloorSigned(rest.back(), divisor);
    return whole;
  }
  if (divisor == 1) {
    bound.coefficients = widen(bound.coefficients);
    return bound;
  }
  CountExpr value = CountExpr::floorDivide(express(rest, 0), divisor);
  auto known = llvm::find(values, value);
  size_t symbol = known - values.begin();
  if (known == values.end()) {
    values.push_back(value);
    Row opposite = negate(rest);
    addFact(symbol, -divisor, ArrayRef(rest).drop_back(), rest.back());
    addFact(symbol, divisor, ArrayRef(opposite).drop_back(),
            opposite.back() + divisor);
    whole.coefficients = widen(whole.coefficients);
  }
  whole.coefficients[1 + symbol] = 1;
  return whole;
}

/// A sum that is not negative where `lhs` <= `rhs`, and negative only where
/// `lhs` >= `rhs`; nothing if there is no such sum.
std::optional<Row> IntervalCount::compare(const TileBound &lhs,
                                          const TileBound &rhs) const {
  if (lhs.divisor == rhs.divisor && lhs.divisor != 1) {
    if (ArrayRef(lhs.coefficients).drop_back() !=
        ArrayRef(rhs.coefficients).drop_back())
      return std::nullopt;
    Row constant(values.size() + 2, 0);
    constant.back() = rhs.coefficients.back() - lhs.coefficients.back();
    return constant;
  }
  if (lhs.divisor != 1 && rhs.divisor != 1)
    return std::nullopt;
  Row difference;
  for (auto [left, right] : llvm::zip(lhs.coefficients, rhs.coefficients)) {
    std::optional<int64_t> factor =
        addProducts(right, lhs.divisor, -left, rhs.divisor);
    if (!factor)
      return std::nullopt;
    difference.push_back(*factor);
  }
  difference.back() += lhs.divisor - 1;
  return difference;
}

/// Splits the rows of `part` by the order of two bounds, or removes one of them
/// if their order is the same in all rows. `least` says whether the bounds are
/// joined by minimum or maximum. False if there are too many parts.
bool IntervalCount::divide(const Part &part,
                           SmallVector<TileBound, 2> Part::*side, bool least,
                           bool &divided) {
  const SmallVector<TileBound, 2> &bounds = part.*side;
  for (size_t first = 0; first < bounds.size(); ++first)
    for (size_t second = first + 1; second < bounds.size(); ++second) {
      std::optional<Row> order = compare(bounds[first], bounds[second]);
      if (!order)
        continue;
      bool always = isCertain(part.guards, *order);
      bool never = !always && !isPossible(part.guards, &*order);
      // Orders that do not depend on the row are left to a minimum or maximum.
      if (!always && !never && order->front() == 0)
        continue;
      divided = true;
      Row opposite = negate(*order);
      for (bool holds : {true, false}) {
        if (holds ? never : always)
          continue;
        Part one = part;
        (one.*side).erase((one.*side).begin() +
                          (holds == least ? second : first));
        if (!always && !never)
          one.guards.push_back(holds ? *order : opposite);
        if (!split(std::move(one)))
          return false;
      }
      return true;
    }
  return true;
}

bool IntervalCount::split(Part part) {
  if (++parts > maxParts)
    return false;
  bool divided = false;
  if (!divide(part, &Part::upper, /*least=*/true, divided))
    return false;
  if (!divided && !divide(part, &Part::lower, /*least=*/false, divided))
    return false;
  if (divided)
    return true;
  return add(std::move(part), /*ordered=*/true);
}

/// The value of the sum `row` at the row `at`.
CountExpr IntervalCount::express(ArrayRef<int64_t> row,
                                 const CountExpr &at) const {
  CountExpr sum = at * row.front() + row.back();
  for (auto [factor, value] : llvm::zip(row.drop_front().drop_back(), values))
    if (factor != 0)
      sum += value * factor;
  return sum;
}

/// Adds guards to `part` that exclude rows that end before they begin. With
/// `ordered`, guards may be added; returns whether some rows may still do so.
bool IntervalCount::excludeReversed(Part &part, bool ordered) const {
  auto isFixed = [](const TileBound &bound) {
    return bound.coefficients.front() == 0;
  };
  // Whether all rows have the same columns.
  bool isSame =
      llvm::all_of(part.lower, isFixed) && llvm::all_of(part.upper, isFixed);
  bool mayBeReversed = false;
  for (const TileBound &lower : part.lower)
    for (const TileBound &upper : part.upper) {
      std::optional<Row> order = compare(lower, upper);
      if (order && isCertain(part.guards, *order))
        continue;
      if (!order || !ordered || isSame) {
        mayBeReversed = true;
        continue;
      }
      // Exclude rows without columns.
      if (order->front() != 0) {
        TileBound next = lower;
        next.coefficients.back() += next.divisor;
        order = compare(next, upper);
      }
      part.guards.push_back(*order);
    }
  return mayBeReversed;
}

/// Removes guards that follow from the others.
void IntervalCount::dropCertain(SmallVector<Row> &guards) const {
  for (size_t number = guards.size(); number-- > 0;) {
    Row guard = guards[number];
    guards.erase(guards.begin() + number);
    if (!isCertain(guards, guard))
      guards.insert(guards.begin() + number, guard);
  }
}

/// The rows for which all guards hold; nothing if there is no first or no last.
std::optional<IntervalCount::RowRange>
IntervalCount::findRows(ArrayRef<Row> guards) const {
  std::optional<CountExpr> begin, end;
  CountExpr condition = 1;
  SmallVector<Row> fixed, first, last;
  for (const Row &guard : guards) {
    Row others = guard;
    others.front() = 0;
    CountExpr rest = express(others, 0);
    int64_t slope = guard.front();
    if (slope > 0) {
      CountExpr bound = CountExpr::ceilDivide(rest * -1, slope);
      begin = begin ? CountExpr::maximum(*begin, bound) : bound;
      first.push_back(guard);
    } else if (slope < 0) {
      CountExpr bound = CountExpr::floorDivide(rest, -slope) + 1;
      end = end ? CountExpr::minimum(*end, bound) : bound;
      last.push_back(guard);
    } else {
      condition = condition * CountExpr::isNonNegative(rest);
      fixed.push_back(guard);
    }
  }
  if (!begin || !end)
    return std::nullopt;
  // If the number of rows cannot be negative, it needs no maximum.
  bool isRange = llvm::all_of(first, [&](const Row &low) {
    return llvm::all_of(last, [&](const Row &high) {
      if (low.front() != 1 || high.front() != -1)
        return false;
      Row room;
      for (auto [left, right] : llvm::zip(widen(low), widen(high)))
        room.push_back(left + right);
      ++room.back();
      return isCertain(fixed, room);
    });
  });
  CountExpr count = *end - *begin;
  if (!isRange)
    count = CountExpr::maximum(count, 0);
  return RowRange{*begin, count, condition};
}

/// Adds the columns of all rows of `part`. With `ordered`, guards exclude rows
/// that end before they begin.
bool IntervalCount::add(Part part, bool ordered) {
  bool mayBeReversed = excludeReversed(part, ordered);
  dropCertain(part.guards);
  std::optional<RowRange> rows = findRows(part.guards);
  if (!rows || part.lower.empty() || part.upper.empty())
    return false;
  CountExpr row = CountExpr::symbol(rowName) + rows->begin;
  auto join = [&](ArrayRef<TileBound> bounds, auto choose) {
    CountExpr chosen;
    for (const TileBound &bound : bounds) {
      CountExpr value = CountExpr::floorDivide(express(bound.coefficients, row),
                                               bound.divisor);
      chosen = &bound == bounds.begin() ? value : choose(chosen, value);
    }
    return chosen;
  };
  CountExpr columns = join(part.upper, CountExpr::minimum) -
                      join(part.lower, CountExpr::maximum);
  if (mayBeReversed)
    columns = CountExpr::maximum(columns, 0);
  total += rows->condition * CountExpr::sum(rowName, rows->count, columns);
  return !total.isTooLarge();
}

std::optional<CountExpr> IntervalCount::count(TileInterval interval,
                                              std::string &obstacle) {
  dropRedundant(interval);
  for (const auto *list : {&interval.lower, &interval.upper, &interval.guards})
    for (const TileBound &bound : *list)
      for (auto [symbol, factor] :
           llvm::zip(symbols, ArrayRef(bound.coefficients).drop_front()))
        if (factor != 0 && !symbol.obstacle.empty()) {
          obstacle = symbol.obstacle;
          return std::nullopt;
        }
  Part part;
  for (const TileBound &bound : interval.lower)
    part.lower.push_back(normalize(bound));
  for (const TileBound &bound : interval.upper)
    part.upper.push_back(normalize(bound));
  for (auto *list : {&part.lower, &part.upper})
    for (TileBound &bound : *list)
      bound.coefficients = widen(bound.coefficients);
  for (const TileBound &guard : interval.guards)
    part.guards.push_back(widen(guard.coefficients));
  obstacle = countIsTooLong;
  if (!isPossible(part.guards))
    return total;
  std::optional<CountExpr> closed;
  if (split(part))
    closed = total;
  total = 0;
  if (!add(std::move(part), /*ordered=*/false))
    return closed;
  // Prefer a single sum of minima and maxima to a much longer closed form.
  constexpr size_t worth = 2;
  bool isShort = closed && closed->getLength() <= worth * total.getLength();
  return isShort ? *closed : total;
}

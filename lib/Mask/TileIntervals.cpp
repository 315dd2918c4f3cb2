//===----------------------------------------------------------------------===//
// Projection of sets of pairs onto tiles.
//===----------------------------------------------------------------------===//

#include "stof/Mask/TileIntervals.h"

#include "stof/Mask/LinearConstraints.h"

#include "mlir/Support/LLVM.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerSet;
using presburger::PresburgerSpace;

int64_t TileBound::at(int64_t rowTile, ArrayRef<int64_t> symbols) const {
  assert(coefficients.size() == symbols.size() + 2 &&
         "expects a value for each symbol");
  assert(divisor > 0 && "divisors are positive");
  int64_t sum = coefficients.front() * rowTile + coefficients.back();
  for (auto [coefficient, symbol] :
       llvm::zip(ArrayRef(coefficients).drop_front().drop_back(), symbols))
    sum += coefficient * symbol;
  return llvm::divideFloorSigned(sum, divisor);
}

std::pair<int64_t, int64_t> TileInterval::at(int64_t rowTile, int64_t keyTiles,
                                             ArrayRef<int64_t> symbols) const {
  for (const TileBound &guard : guards)
    if (guard.at(rowTile, symbols) < 0)
      return {0, 0};
  int64_t begin = 0, end = keyTiles;
  for (const TileBound &bound : lower)
    begin = std::max(begin, bound.at(rowTile, symbols));
  for (const TileBound &bound : upper)
    end = std::min(end, bound.at(rowTile, symbols));
  return begin < end ? std::make_pair(begin, end) : std::make_pair(0L, 0L);
}

//===----------------------------------------------------------------------===//
// Elimination
//===----------------------------------------------------------------------===//

using Row = LinearConstraints::Row;

namespace {
/// The largest coefficient of a projection. Sums of products of coefficients
/// and positions, and a constant, then stay below 2^63.
constexpr int64_t maxOfTiles = int64_t(1) << 30;

/// Columns of a projection: the row, the column, the symbols.
enum Column : unsigned { RowTile, KeyTile, FirstSymbol };

struct Projection {
  IntegerPolyhedron tiles;
  bool isExact;
};
} // namespace

/// Eliminates the columns after those of the symbols and returns the resulting
/// polyhedron; nothing if numbers grow too large.
static std::optional<Projection>
eliminateRest(LinearConstraints constraints, unsigned symbols, unsigned width) {
  unsigned kept = FirstSymbol + symbols;
  for (unsigned column = kept; column + 1 < width; ++column)
    if (!constraints.eliminate(column))
      return std::nullopt;
  IntegerPolyhedron result(PresburgerSpace::getSetSpace(2, symbols));
  for (const Row &row : constraints.getRows()) {
    auto left = llvm::to_vector_of<int64_t>(ArrayRef(row).take_front(kept));
    if (llvm::any_of(left, [](int64_t value) {
          return value < -maxOfTiles || value > maxOfTiles;
        }))
      return std::nullopt;
    left.push_back(row.back());
    result.addInequality(left);
  }
  return Projection{std::move(result), constraints.isExact()};
}

/// The tiles touched by a disjunct, as a polyhedron over (row tile, key tile)
/// and the symbols.
static std::optional<Projection>
projectDisjunct(const IntegerRelation &disjunct, TileShape shape) {
  unsigned symbols = disjunct.getNumSymbolVars(),
           locals = disjunct.getNumLocalVars();
  unsigned inQuery = FirstSymbol + symbols, inKey = inQuery + 1;
  unsigned width = inKey + 1 + locals + 1;
  std::optional<LinearConstraints> constraints = LinearConstraints::get(
      disjunct, [&](ArrayRef<int64_t> source) -> std::optional<Row> {
        Row row(width, 0);
        llvm::copy(source.slice(2, symbols), row.begin() + FirstSymbol);
        llvm::copy(source.drop_front(2 + symbols), row.begin() + inKey + 1);
        auto add = [&](unsigned column, int64_t lhs, int64_t rhs) {
          auto sum = addProducts(lhs, rhs, row[column], 1);
          row[column] = sum.value_or(0);
          return sum.has_value();
        };
        if (!add(RowTile, source[0], shape.rowStride * shape.queries) ||
            !add(inQuery, source[0], shape.rowStride) ||
            !add(KeyTile, source[1], shape.stride * shape.keys) ||
            !add(inKey, source[1], shape.stride) ||
            !add(width - 1, source[0], shape.rowOffset) ||
            !add(width - 1, source[1], shape.offset))
          return std::nullopt;
        return row;
      });
  if (!constraints)
    return std::nullopt;
  for (auto [column, side] :
       {std::pair(inQuery, shape.queries), std::pair(inKey, shape.keys)}) {
    Row low(width, 0), high(width, 0);
    low[column] = 1;
    high[column] = -1;
    high.back() = side - 1;
    constraints->add(low);
    constraints->add(high);
  }
  return eliminateRest(std::move(*constraints), symbols, width);
}

/// `tiles` without the constraints that are implied by the others in `context`.
static IntegerPolyhedron simplify(const IntegerPolyhedron &tiles,
                                  const IntegerPolyhedron &context) {
  SmallVector<SmallVector<int64_t, 8>> rows;
  for (unsigned i = 0; i < tiles.getNumInequalities(); ++i)
    rows.push_back(tiles.getInequality64(i));
  for (size_t candidate = 0; candidate < rows.size();) {
    IntegerPolyhedron broken = context;
    for (auto [number, row] : llvm::enumerate(rows))
      if (number != candidate)
        broken.addInequality(row);
    SmallVector<int64_t, 8> negated = rows[candidate];
    for (int64_t &value : negated)
      value = -value;
    --negated.back();
    broken.addInequality(negated);
    if (broken.isIntegerEmpty())
      rows.erase(rows.begin() + candidate);
    else
      ++candidate;
  }
  IntegerPolyhedron result(tiles.getSpace());
  for (ArrayRef<int64_t> row : rows)
    result.addInequality(row);
  return result;
}

TileInterval stof::readInterval(const IntegerPolyhedron &tiles) {
  assert(tiles.getNumEqualities() == 0 && tiles.getNumLocalVars() == 0 &&
         "expects inequalities without local variables");
  TileInterval interval;
  for (unsigned i = 0; i < tiles.getNumInequalities(); ++i) {
    SmallVector<int64_t, 8> row = tiles.getInequality64(i);
    int64_t factor = row[KeyTile];
    TileBound bound;
    bound.coefficients.push_back(row[RowTile]);
    bound.coefficients.append(row.begin() + FirstSymbol, row.end());
    if (factor == 0) {
      interval.guards.push_back(bound);
    } else if (factor < 0) {
      // j <= floor(rest / -factor)
      bound.divisor = -factor;
      bound.coefficients.back() += bound.divisor;
      interval.upper.push_back(bound);
    } else {
      // j >= ceil(-rest / factor)
      for (int64_t &value : bound.coefficients)
        value = -value;
      bound.divisor = factor;
      bound.coefficients.back() += factor - 1;
      interval.lower.push_back(bound);
    }
  }
  return interval;
}

/// The lattice of ofQuery * query + ofKey * key, if an equality of `disjunct`
/// defines this sum, up to its sign, as stride * local + offset.
static std::optional<std::pair<int64_t, int64_t>>
findLattice(const IntegerRelation &disjunct, int64_t ofQuery, int64_t ofKey) {
  if (!hasSmallNumbers(disjunct))
    return std::nullopt;
  unsigned firstLocal = FirstSymbol + disjunct.getNumSymbolVars();
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i) {
    SmallVector<int64_t, 8> row = disjunct.getEquality64(i);
    int64_t sign = ofQuery ? row[RowTile] * ofQuery : row[KeyTile] * ofKey;
    if (std::abs(sign) != 1 || row[RowTile] != sign * ofQuery ||
        row[KeyTile] != sign * ofKey)
      continue;
    ArrayRef<int64_t> symbols =
        ArrayRef(row).slice(FirstSymbol, firstLocal - FirstSymbol);
    ArrayRef<int64_t> locals = ArrayRef(row).drop_front(firstLocal).drop_back();
    auto isUsed = [](int64_t factor) { return factor != 0; };
    const int64_t *local = llvm::find_if(locals, isUsed);
    if (llvm::any_of(symbols, isUsed) || llvm::count_if(locals, isUsed) != 1 ||
        std::abs(*local) < 2)
      continue;
    int64_t stride = std::abs(*local), offset = -sign * row.back() % stride;
    return std::make_pair(stride, offset < 0 ? offset + stride : offset);
  }
  return std::nullopt;
}

std::optional<std::pair<int64_t, int64_t>>
stof::findKeyLattice(const IntegerRelation &disjunct) {
  return findLattice(disjunct, /*ofQuery=*/0, /*ofKey=*/1);
}

std::optional<std::pair<int64_t, int64_t>>
stof::findDistanceLattice(const IntegerRelation &disjunct) {
  return findLattice(disjunct, /*ofQuery=*/1, /*ofKey=*/-1);
}

std::optional<TileInterval>
stof::findKeysOfRow(const IntegerRelation &disjunct) {
  unsigned symbols = disjunct.getNumSymbolVars();
  unsigned width = disjunct.getNumCols();
  std::optional<LinearConstraints> constraints = LinearConstraints::get(
      disjunct, [](ArrayRef<int64_t> source) { return Row(source); });
  if (!constraints)
    return std::nullopt;
  auto keys = eliminateRest(std::move(*constraints), symbols, width);
  if (keys && keys->isExact)
    return readInterval(keys->tiles);
  // If an equality defines the key by one local variable, use that instead.
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i) {
    SmallVector<int64_t, 8> equality = disjunct.getEquality64(i);
    if (std::abs(equality[KeyTile]) != 1)
      continue;
    unsigned firstLocal = FirstSymbol + symbols, found = 0;
    unsigned numLocals = 0;
    for (unsigned column = firstLocal; column + 1 < width; ++column)
      if (equality[column] != 0) {
        found = column;
        ++numLocals;
      }
    if (numLocals != 1)
      continue;
    auto replaced = LinearConstraints::get(
        disjunct, [&](ArrayRef<int64_t> source) -> std::optional<Row> {
          Row row(source);
          int64_t times = row[KeyTile] * equality[KeyTile];
          for (auto [value, other] : llvm::zip(row, equality)) {
            auto rest = addProducts(-times, other, value, 1);
            if (!rest)
              return std::nullopt;
            value = *rest;
          }
          std::swap(row[KeyTile], row[found]);
          return row;
        });
    if (!replaced)
      continue;
    auto numbers = eliminateRest(std::move(*replaced), symbols, width);
    if (numbers && numbers->isExact)
      return readInterval(numbers->tiles);
  }
  return std::nullopt;
}

std::optional<TouchedTiles> stof::findTouchedTiles(const PresburgerSet &set,
                                                   const PresburgerSet &domain,
                                                   TileShape shape) {
  assert(shape.queries > 0 && shape.keys > 0 && "tiles are positive");
  assert(shape.stride > 0 && shape.rowStride > 0 && "strides are positive");
  assert(domain.getNumDisjuncts() == 1 && "expects a convex domain");
  std::optional<Projection> context =
      projectDisjunct(domain.getDisjunct(0), shape);
  if (!context)
    return std::nullopt;
  TouchedTiles result;
  std::vector<IntegerPolyhedron> disjuncts;
  for (const IntegerRelation &disjunct : set.getAllDisjuncts()) {
    if (disjunct.isIntegerEmpty())
      continue;
    std::optional<Projection> projected = projectDisjunct(disjunct, shape);
    if (!projected)
      return std::nullopt;
    // Disjuncts between the points of a lattice touch none of its tiles.
    if (projected->tiles.isIntegerEmpty())
      continue;
    result.isExact &= projected->isExact;
    if (llvm::none_of(disjuncts, [&](const IntegerPolyhedron &other) {
          return other.isEqual(projected->tiles);
        }))
      disjuncts.push_back(std::move(projected->tiles));
  }
  // Remove disjuncts that are contained in others.
  for (size_t inner = 0; inner < disjuncts.size();) {
    bool contained =
        llvm::any_of(llvm::seq<size_t>(0, disjuncts.size()), [&](size_t outer) {
          return outer != inner &&
                 disjuncts[inner].isSubsetOf(disjuncts[outer]);
        });
    if (contained)
      disjuncts.erase(disjuncts.begin() + inner);
    else
      ++inner;
  }
  for (const IntegerPolyhedron &tiles : disjuncts)
    result.intervals.push_back(readInterval(simplify(tiles, context->tiles)));
  result.polyhedra = std::move(disjuncts);
  return result;
}

void stof::dropDisjoint(TouchedTiles &tiles, const TouchedTiles &others) {
  assert(tiles.polyhedra.size() == tiles.intervals.size() &&
         "expects a polyhedron for each interval");
  for (size_t number = tiles.polyhedra.size(); number-- > 0;) {
    const IntegerPolyhedron &one = tiles.polyhedra[number];
    if (llvm::all_of(others.polyhedra, [&](const IntegerPolyhedron &other) {
          return one.intersect(other).isIntegerEmpty();
        })) {
      tiles.polyhedra.erase(tiles.polyhedra.begin() + number);
      tiles.intervals.erase(tiles.intervals.begin() + number);
    }
  }
}

/// Whether `lhs` <= `rhs` for all row tiles and symbols: they differ by a
/// constant.
static bool isAlwaysBelow(const TileBound &lhs, const TileBound &rhs) {
  return lhs.divisor == rhs.divisor &&
         ArrayRef(lhs.coefficients).drop_back() ==
             ArrayRef(rhs.coefficients).drop_back() &&
         lhs.coefficients.back() <= rhs.coefficients.back();
}

/// Whether no key tile of `keyTiles` is at or after `end` where `guard` fails:
/// keyTiles <= end, in integers with t = keyTiles.coefficients, is
/// t < divisor (end + 1), and follows from guard < 0 if both differ by a
/// constant.
static bool endsAll(const TileBound &end, const TileBound &guard,
                    const TileBound &keyTiles) {
  if (end.divisor != 1)
    return false;
  int64_t rest = keyTiles.divisor - 1;
  for (auto [reached, failed, counted] :
       llvm::zip(ArrayRef(end.coefficients).drop_back(),
                 ArrayRef(guard.coefficients).drop_back(),
                 ArrayRef(keyTiles.coefficients).drop_back()))
    if (keyTiles.divisor * reached - counted + failed != 0)
      return false;
  rest += keyTiles.divisor * end.coefficients.back() -
          keyTiles.coefficients.back() + guard.coefficients.back() + 1;
  return rest >= 0;
}

std::vector<TileInterval>
stof::mergeNeighbours(ArrayRef<TileInterval> intervals,
                      const std::optional<TileBound> &keyTiles) {
  auto isPlain = [](const TileInterval &interval) {
    return interval.lower.size() == 1 && interval.upper.size() == 1;
  };
  std::vector<TileInterval> merged(intervals);
  auto extends = [&](const TileInterval &first, const TileInterval &second) {
    return isPlain(first) && isPlain(second) && first.guards.empty() &&
           isAlwaysBelow(first.lower[0], second.lower[0]) &&
           isAlwaysBelow(second.lower[0], first.upper[0]) &&
           isAlwaysBelow(first.upper[0], second.upper[0]) &&
           llvm::all_of(second.guards, [&](const TileBound &guard) {
             return keyTiles && endsAll(first.upper[0], guard, *keyTiles);
           });
  };
  auto mergeOne = [&] {
    for (TileInterval &first : merged)
      for (auto second = merged.begin(); second != merged.end(); ++second) {
        if (&first == &*second || !extends(first, *second))
          continue;
        first.upper = second->upper;
        merged.erase(second);
        return true;
      }
    return false;
  };
  while (mergeOne()) {
  }
  return merged;
}

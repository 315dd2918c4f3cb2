//===----------------------------------------------------------------------===//
// Residue classes of queries and keys of masks on a lattice of distances.
//===----------------------------------------------------------------------===//

#include "RowClasses.h"

#include "stof/CostModel/Counts.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof;

/// The largest stride; each class takes a projection of its own.
static constexpr int64_t maxStride = 64;

NominalSizes stof::guessSizes(const MaskedAttention &attention) {
  constexpr int64_t nominalSymbol = 128;
  auto orNominal = [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? middleSize : extent;
  };
  const MaskExpr &mask = attention.mask;
  NominalSizes sizes{orNominal(attention.getQuerySize(AttentionOp::Position)),
                     orNominal(attention.getNumKeys()),
                     {}};
  for (const Expr *symbol : attention.set.getSymbols())
    sizes.symbols.push_back(symbol == mask.batch || symbol == mask.head ? 0
                            : symbol->op == ScalarOp::Extent ? middleSize
                                                             : nominalSymbol);
  return sizes;
}

/// The common stride and residue of the distances of all pairs.
static std::optional<std::pair<int64_t, int64_t>>
findCommonLattice(const MaskSet &set) {
  int64_t stride = 0, residue = 0;
  for (const auto &disjunct : set.getMay().getAllDisjuncts()) {
    auto lattice = findDistanceLattice(disjunct);
    if (!lattice)
      return std::nullopt;
    if (stride == 0)
      residue = lattice->second;
    stride =
        std::gcd(std::gcd(stride, lattice->first), lattice->second - residue);
  }
  if (stride < 2)
    return std::nullopt;
  return std::make_pair(stride, residue % stride);
}

/// The number of tiles of `side` strided positions that cover the range from
/// `offset` to `length`.
static int64_t countSides(int64_t length, int64_t offset, int64_t stride,
                          int64_t side) {
  return llvm::divideCeil(std::max<int64_t>(length - offset, 0), stride * side);
}

std::string stof::describeStride(StringRef positions, int64_t stride,
                                 const Twine &why) {
  return (positions + " of stride " + Twine(stride) +
          " are not gathered into tiles, since " + why)
      .str();
}

std::optional<RowClasses> stof::findRowClasses(const MaskedAttention &attention,
                                               const NominalSizes &sizes,
                                               int64_t limit,
                                               std::string &notGathered) {
  const MaskSet &set = attention.set;
  auto lattice = findCommonLattice(set);
  if (!lattice)
    return std::nullopt;
  int64_t stride = lattice->first, residue = lattice->second;
  auto refuse = [&](const Twine &why) {
    notGathered = describeStride("queries and keys", stride, why);
    return std::nullopt;
  };
  if (stride > maxStride) {
    // Each class takes at least one tile.
    if (limit <= stride)
      return std::nullopt;
    return refuse("the stride exceeds " + Twine(maxStride));
  }
  RowClasses rows{stride, residue, {}};
  int64_t tiles = 0;
  for (int64_t query = 0; query < stride; ++query) {
    TileShape shape = attention.shape;
    shape.rowStride = shape.stride = stride;
    shape.rowOffset = query;
    shape.offset = (query - residue + stride) % stride;
    std::optional<TouchedTiles> visited =
        findTouchedTiles(set.getMay(), set.getDomain(), shape);
    if (!visited)
      return refuse("their tiles have too large coefficients");
    int64_t rowTiles = countSides(sizes.queries, query, stride, shape.queries);
    int64_t keyTiles = countSides(sizes.keys, shape.offset, stride, shape.keys);
    tiles +=
        countTiles(visited->intervals, {}, rowTiles, keyTiles, sizes.symbols)
            .full;
    if (tiles >= limit)
      return std::nullopt;
    std::optional<TouchedTiles> partial =
        findTouchedTiles(set.getOpen(), set.getPaddedDomain(), shape);
    if (!partial)
      return refuse("their tiles have too large coefficients");
    dropDisjoint(*partial, *visited);
    rows.isExact &= visited->isExact;
    rows.classes.push_back(
        {shape, rowTiles, keyTiles, std::move(*visited), std::move(*partial)});
  }
  return rows;
}

ClassInterval::ClassInterval(const TileInterval &interval, int64_t number)
    : interval(interval), first(number), last(number),
      growth(interval.lower.size() + interval.upper.size() +
                 interval.guards.size(),
             0) {}

/// What constants of `left` grow by to be those of `right`, if the intervals
/// differ in these alone.
static std::optional<SmallVector<int64_t>>
findGrowth(const TileInterval &left, const TileInterval &right) {
  SmallVector<int64_t> growth;
  for (auto kind :
       {&TileInterval::lower, &TileInterval::upper, &TileInterval::guards}) {
    if ((left.*kind).size() != (right.*kind).size())
      return std::nullopt;
    for (auto [from, to] : llvm::zip(left.*kind, right.*kind)) {
      if (from.divisor != to.divisor ||
          ArrayRef(from.coefficients).drop_back() !=
              ArrayRef(to.coefficients).drop_back())
        return std::nullopt;
      growth.push_back(to.coefficients.back() - from.coefficients.back());
    }
  }
  return growth;
}

/// Extends `known`, which is of one class or grows already, to the class of
/// `next`, if its constants grow to those of `next`.
static bool extend(ClassInterval &known, const ClassInterval &next) {
  bool isOne = known.first == known.last;
  bool grows = llvm::any_of(known.growth, [](int64_t step) { return step; });
  if (next.first != next.last || known.last + 1 != next.first ||
      (!isOne && !grows))
    return false;
  auto growth = findGrowth(known.interval, next.interval);
  if (!growth)
    return false;
  if (isOne)
    known.growth = *growth;
  int64_t steps = next.first - known.first;
  for (auto [each, all] : llvm::zip_equal(known.growth, *growth))
    if (each * steps != all)
      return false;
  known.last = next.first;
  return true;
}

/// The intervals of one kind, each stated once for consecutive classes with it.
static std::vector<ClassInterval> mergeEqual(const RowClasses &rows,
                                             TouchedTiles RowClass::*kind,
                                             CountKeyTiles countKeyTiles) {
  std::vector<ClassInterval> merged;
  for (auto [number, one] : llvm::enumerate(rows.classes))
    for (const TileInterval &interval :
         mergeNeighbours((one.*kind).intervals, countKeyTiles(one.shape))) {
      int64_t here = number;
      auto known = llvm::find_if(merged, [&](const ClassInterval &other) {
        return other.last >= here - 1 && other.interval == interval;
      });
      if (known == merged.end())
        merged.push_back(ClassInterval(interval, here));
      else
        known->last = here;
    }
  return merged;
}

std::vector<ClassInterval> stof::mergeClasses(const RowClasses &rows,
                                              TouchedTiles RowClass::*kind,
                                              CountKeyTiles countKeyTiles) {
  std::vector<ClassInterval> merged;
  for (const ClassInterval &next : mergeEqual(rows, kind, countKeyTiles))
    if (llvm::none_of(
            merged, [&](ClassInterval &known) { return extend(known, next); }))
      merged.push_back(next);
  return merged;
}

std::optional<TileCensus> stof::countClasses(const RowClasses &rows,
                                             const MaskSet &set) {
  TileCensus sum;
  for (const RowClass &one : rows.classes) {
    // Out-of-bounds keys do not make a tile partial.
    std::optional<TouchedTiles> masked = findTouchedTiles(
        set.getOpen().intersect(set.getDomain()), set.getDomain(), one.shape);
    if (!one.visited.isExact || !masked || !masked->isExact)
      return std::nullopt;
    sum += countTiles(one.visited.intervals, masked->intervals, one.rowTiles,
                      one.keyTiles, {});
  }
  return sum;
}

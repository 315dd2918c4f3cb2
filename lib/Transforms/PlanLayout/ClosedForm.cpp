//===----------------------------------------------------------------------===//
// Layouts in closed form.
//
//   1. The disjuncts of the mask are projected onto tiles
//      (Mask/TileIntervals.h). If that takes fewer tiles, disjuncts of every
//      n-th key are projected onto tiles of their lattice, and masks of every
//      n-th distance by residue class (RowClasses.h).
//   2. Intervals become affine maps, the values of their symbols operands of
//      the attention.
//===----------------------------------------------------------------------===//

#include "DynamicCensus.h"
#include "RowClasses.h"
#include "SymbolSource.h"
#include "stof/Mask/PrintSet.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "stof-plan-layout"

using namespace mlir;
using namespace stof;
using presburger::PresburgerRelation;
using presburger::PresburgerSet;

namespace {

class ClosedForm {
public:
  ClosedForm(const MaskedAttention &attention, bool lattices)
      : op(attention.op), attention(attention), mask(attention.mask),
        set(attention.set), shape(attention.shape), lattices(lattices) {}

  std::optional<LayoutPlan> plan(std::string &why);

private:
  bool findTiles();
  bool splitRows(const TouchedTiles &plainOnly);
  bool splitLattices(const TouchedTiles &plainOnly);
  NominalSizes getSizes() const;
  TileCensus countVisited(ArrayRef<TileInterval> intervals,
                          TileShape tiles) const;
  void addParts(TileCensus &census) const;
  LogicalResult bindSymbols(std::string &why);
  AffineExpr toExpr(const TileBound &bound, int64_t growth, AffineExpr steps);
  Attribute toAttribute(const ClassInterval &one);
  std::optional<TileBound> countKeyTiles(const TileShape &of) const;
  ArrayAttr toAttribute(ArrayRef<TileInterval> intervals,
                        const std::optional<TileBound> &keyTiles);
  ArrayAttr toAttribute(TouchedTiles RowClass::*kind);
  bool countsNominal() const;
  TileCensus countNominal() const;
  DictionaryAttr count();
  RowLengths measureRows() const;

  AttentionOp op;
  const MaskedAttention &attention;
  const MaskExpr &mask;
  const MaskSet &set;
  TileShape shape;
  bool lattices, visitsExactly = true;
  /// Why strided positions are not gathered, if that may be better.
  std::string notGathered;
  /// Whether no tile list of adjacent positions can be better.
  bool isExact = true;
  TouchedTiles visited, partial;
  std::vector<LatticePart> parts;
  /// If set, replaces `visited`, `partial` and `parts`.
  std::optional<RowClasses> rows;
  SmallVector<Value> operands;
  SmallVector<Attribute> positions;
  /// The expression of each symbol of the set in the maps of the layout.
  SmallVector<AffineExpr> symbolExprs;
  /// The symbol of each in counts.
  SmallVector<CountSymbol> countSymbols;
};

} // namespace

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

LogicalResult ClosedForm::bindSymbols(std::string &why) {
  MLIRContext *ctx = op.getContext();
  auto isUsed = [&](unsigned number) {
    auto uses = [&](const TileBound &bound) {
      return bound.coefficients[1 + number] != 0;
    };
    auto inList = [&](ArrayRef<TileInterval> list) {
      return llvm::any_of(list, [&](const TileInterval &interval) {
        return llvm::any_of(interval.lower, uses) ||
               llvm::any_of(interval.upper, uses) ||
               llvm::any_of(interval.guards, uses);
      });
    };
    return inList(visited.intervals) || inList(partial.intervals) ||
           llvm::any_of(parts,
                        [&](const LatticePart &part) {
                          return inList(part.visited.intervals);
                        }) ||
           (rows && llvm::any_of(rows->classes, [&](const RowClass &one) {
              return inList(one.visited.intervals) ||
                     inList(one.partial.intervals);
            }));
  };
  SmallVector<std::string> names = nameSymbols(set, mask);
  for (auto [number, symbol] : llvm::enumerate(set.getSymbols())) {
    CountSymbol &counted = countSymbols.emplace_back();
    counted.name = names[number];
    counted.isSize =
        symbol == mask.query->operands[0] || symbol == mask.key->operands[0];
    if (symbol == mask.batch || symbol == mask.head) {
      counted.obstacle = "the mask differs by batch or head";
      symbolExprs.push_back(getAffineDimExpr(
          symbol == mask.batch ? LayoutAttr::BatchDim : LayoutAttr::HeadDim,
          ctx));
      continue;
    }
    if (!isUsed(number)) {
      if (!counted.isSize)
        counted.obstacle = "its unmasked positions depend on a symbol that its "
                           "tiles do not depend on";
      symbolExprs.push_back(getAffineConstantExpr(0, ctx));
      continue;
    }
    std::optional<SymbolSource> source = findSource(attention, symbol);
    if (!source) {
      llvm::raw_string_ostream(why) << "its tiles depend on " << *symbol
                                    << ", which cannot be a layout operand";
      return failure();
    }
    if (isa<ShapedType>(source->operand.getType()))
      counted.obstacle = "the mask depends on captured numbers that are "
                         "unknown on the host";
    counted.operand = operands.size();
    symbolExprs.push_back(getAffineSymbolExpr(operands.size(), ctx));
    operands.push_back(source->operand);
    positions.push_back(AffineMapAttr::get(source->position));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The layout
//===----------------------------------------------------------------------===//

/// The bound of which the constant grows by `growth` in each of `steps`.
AffineExpr ClosedForm::toExpr(const TileBound &bound, int64_t growth,
                              AffineExpr steps) {
  AffineExpr rowTile =
      getAffineDimExpr(LayoutAttr::RowTileDim, op.getContext());
  if (rows)
    rowTile = rowTile.floorDiv(rows->stride);
  ArrayRef<int64_t> factors = bound.coefficients;
  AffineExpr sum = rowTile * factors.front();
  for (auto [factor, symbol] :
       llvm::zip(factors.drop_front().drop_back(), symbolExprs))
    sum = sum + symbol * factor;
  return (sum + steps * growth + factors.back()).floorDiv(bound.divisor);
}

/// The interval of one class; without classes, of class 0 of one.
Attribute ClosedForm::toAttribute(const ClassInterval &one) {
  MLIRContext *ctx = op.getContext();
  int64_t numClasses = rows ? rows->stride : 1;
  AffineExpr number =
      getAffineDimExpr(LayoutAttr::RowTileDim, ctx) % numClasses;
  ArrayRef<int64_t> growth = one.growth;
  auto toExprs = [&](ArrayRef<TileBound> bounds) {
    SmallVector<AffineExpr> exprs;
    for (const TileBound &bound : bounds) {
      exprs.push_back(toExpr(bound, growth.front(), number - one.first));
      growth = growth.drop_front();
    }
    return exprs;
  };
  auto toMap = [&](ArrayRef<AffineExpr> exprs) {
    return exprs.empty()
               ? AffineMapAttr()
               : AffineMapAttr::get(AffineMap::get(
                     LayoutAttr::numDims, operands.size(), exprs, ctx));
  };
  AffineMapAttr lower = toMap(toExprs(one.interval.lower));
  AffineMapAttr upper = toMap(toExprs(one.interval.upper));
  SmallVector<AffineExpr> guards = toExprs(one.interval.guards);
  if (one.first > 0)
    guards.push_back(number - one.first);
  if (one.last + 1 < numClasses)
    guards.push_back(one.last - number);
  return IntervalAttr::get(ctx, lower, upper, toMap(guards));
}

/// The number of key tiles of the shape `of`; nothing if the length is not a
/// symbol.
std::optional<TileBound> ClosedForm::countKeyTiles(const TileShape &of) const {
  ArrayRef<const Expr *> symbols = set.getSymbols();
  int64_t distance = of.stride * of.keys;
  TileBound tiles{SmallVector<int64_t, 4>(symbols.size() + 2, 0), distance};
  tiles.coefficients.back() = distance - 1 - of.offset;
  const Expr *length = mask.key->operands[0];
  if (std::optional<int64_t> known = length->getInt()) {
    tiles.coefficients.back() += *known;
    return tiles;
  }
  auto symbol = llvm::find(symbols, length);
  if (symbol == symbols.end())
    return std::nullopt;
  tiles.coefficients[1 + (symbol - symbols.begin())] = 1;
  return tiles;
}

ArrayAttr ClosedForm::toAttribute(ArrayRef<TileInterval> intervals,
                                  const std::optional<TileBound> &keyTiles) {
  SmallVector<Attribute> list;
  for (const TileInterval &interval : mergeNeighbours(intervals, keyTiles))
    list.push_back(toAttribute(ClassInterval(interval, 0)));
  return list.empty() ? ArrayAttr() : ArrayAttr::get(op.getContext(), list);
}

ArrayAttr ClosedForm::toAttribute(TouchedTiles RowClass::*kind) {
  SmallVector<Attribute> list;
  auto counted = [&](const TileShape &of) { return countKeyTiles(of); };
  for (const ClassInterval &one : mergeClasses(*rows, kind, counted))
    list.push_back(toAttribute(one));
  return list.empty() ? ArrayAttr() : ArrayAttr::get(op.getContext(), list);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The number of positions in a mask without symbols, which knows its lengths,
/// whatever the types of operands say.
static int64_t getLength(const Expr *position) {
  std::optional<int64_t> length = position->operands[0]->getInt();
  assert(length && "expects a mask without symbols");
  return *length;
}

NominalSizes ClosedForm::getSizes() const {
  if (set.getSymbols().empty())
    return {getLength(mask.query), getLength(mask.key), {}};
  return guessSizes(attention);
}

/// The tiles in `intervals`, all as full ones, for nominal sizes if they are
/// symbols.
TileCensus ClosedForm::countVisited(ArrayRef<TileInterval> intervals,
                                    TileShape tiles) const {
  NominalSizes sizes = getSizes();
  return countTiles(
      intervals, {}, llvm::divideCeil(sizes.queries, tiles.queries),
      llvm::divideCeil(std::max<int64_t>(sizes.keys - tiles.offset, 0),
                       tiles.stride * tiles.keys),
      sizes.symbols);
}

/// Adds the tiles of lattices, which are partial, to `census`. The longest rows
/// of all lattices are assumed to be the same.
void ClosedForm::addParts(TileCensus &census) const {
  for (const LatticePart &part : parts) {
    TileCensus counted = countVisited(part.visited.intervals, part.shape);
    census.partial += counted.full;
    census.longest += counted.longest;
  }
}

/// Moves the disjuncts on lattices from the plain tiles to tiles of their
/// lattice, if that takes fewer tiles in all.
bool ClosedForm::splitLattices(const TouchedTiles &plainOnly) {
  llvm::MapVector<std::pair<int64_t, int64_t>, PresburgerSet> onLattices;
  PresburgerSet plain = PresburgerSet::getEmpty(set.getMay().getSpace());
  for (const presburger::IntegerRelation &disjunct :
       set.getMay().getAllDisjuncts()) {
    if (auto lattice = findKeyLattice(disjunct)) {
      auto [it, isNew] = onLattices.try_emplace(
          *lattice, PresburgerSet(PresburgerRelation(disjunct)));
      if (!isNew)
        it->second.unionInPlace(disjunct);
    } else {
      plain.unionInPlace(disjunct);
    }
  }
  if (onLattices.empty())
    return false;
  std::optional<TouchedTiles> kept =
      findTouchedTiles(plain, set.getDomain(), shape);
  if (!kept)
    return false;
  auto refuse = [&](int64_t stride, const Twine &why) {
    notGathered = describeStride("keys", stride, why);
    return false;
  };
  bool exact = kept->isExact;
  int64_t tiles = countVisited(kept->intervals, shape).full;
  std::vector<LatticePart> found;
  for (auto &[lattice, disjuncts] : onLattices) {
    TileShape latticeShape{shape.queries, shape.keys, lattice.first,
                           lattice.second};
    std::optional<TouchedTiles> touched =
        findTouchedTiles(disjuncts, set.getDomain(), latticeShape);
    if (!touched)
      return refuse(lattice.first, "their tiles have too large coefficients");
    exact &= touched->isExact;
    tiles += countVisited(touched->intervals, latticeShape).full;
    found.push_back({latticeShape, std::move(*touched)});
  }
  if (tiles >= countVisited(plainOnly.intervals, shape).full)
    return false;
  visitsExactly = exact;
  visited = std::move(*kept);
  parts = std::move(found);
  return true;
}

/// Splits queries and keys by residue, if that takes fewer tiles in all.
bool ClosedForm::splitRows(const TouchedTiles &plainOnly) {
  NominalSizes sizes = guessSizes(attention);
  int64_t plain =
      countTiles(plainOnly.intervals, {},
                 llvm::divideCeil(sizes.queries, shape.queries),
                 llvm::divideCeil(sizes.keys, shape.keys), sizes.symbols)
          .full;
  rows = findRowClasses(attention, sizes, plain, notGathered);
  if (!rows)
    return false;
  visitsExactly = rows->isExact;
  isExact = visitsExactly || plainOnly.isExact;
  return true;
}

bool ClosedForm::findTiles() {
  std::optional<TouchedTiles> kept =
      findTouchedTiles(set.getMay(), set.getDomain(), shape);
  std::optional<TouchedTiles> masked =
      findTouchedTiles(set.getOpen(), set.getPaddedDomain(), shape);
  if (!kept || !masked)
    return false;
  if (lattices && splitRows(*kept)) {
    LDBG() << "rows by residue: taken, every " << rows->stride;
    return true;
  }
  if (lattices && splitLattices(*kept)) {
    LDBG() << "lattices: taken, " << parts.size() << " of them";
    notGathered.clear();
  } else {
    LDBG() << "lattices: refused, since "
           << (notGathered.empty() ? "they save no tile" : notGathered);
    visitsExactly = kept->isExact;
    visited = std::move(*kept);
  }
  partial = std::move(*masked);
  dropDisjoint(partial, visited);
  isExact = visitsExactly && (partial.isExact || !parts.empty());
  return true;
}

/// Whether tiles are counted for nominal sizes: symbols are lengths alone, and
/// the counts are only weighed.
bool ClosedForm::countsNominal() const {
  return attention.units && !set.getSymbols().empty() &&
         llvm::all_of(set.getSymbols(), [](const Expr *symbol) {
           return symbol->op == ScalarOp::Extent;
         });
}

/// The tiles that a kernel visits for nominal sizes, empty ones included.
TileCensus ClosedForm::countNominal() const {
  NominalSizes sizes = guessSizes(attention);
  if (!rows) {
    TileCensus census =
        countTiles(visited.intervals, partial.intervals,
                   llvm::divideCeil(sizes.queries, shape.queries),
                   llvm::divideCeil(sizes.keys, shape.keys), sizes.symbols);
    addParts(census);
    return census;
  }
  TileCensus sum;
  for (const RowClass &one : rows->classes)
    sum += countTiles(one.visited.intervals, one.partial.intervals,
                      one.rowTiles, one.keyTiles, sizes.symbols);
  return sum;
}

/// The census of a mask; with symbols, as expressions.
DictionaryAttr ClosedForm::count() {
  if (countsNominal())
    return toDictionary(op.getContext(), countNominal(), std::nullopt);
  std::optional<TouchedTiles> masked;
  // Out-of-bounds keys do not make a tile partial.
  if (!rows)
    masked = findTouchedTiles(set.getOpen().intersect(set.getDomain()),
                              set.getDomain(), shape);
  bool isCounted = rows || (visitsExactly && masked && masked->isExact);
  if (!set.getSymbols().empty()) {
    DynamicCensus census(attention, countSymbols);
    if (rows)
      census.addClasses(*rows);
    else if (isCounted)
      census.addTiles(visited, *masked, parts);
    return census.toDictionary();
  }
  int64_t queries = getLength(mask.query), keys = getLength(mask.key);
  std::optional<int64_t> nonzeros;
  if (set.isExact())
    nonzeros = countPairs(set.getMust(), queries, {});
  if (rows)
    return toDictionary(op.getContext(), countClasses(*rows, set), nonzeros);
  std::optional<TileCensus> census;
  if (isCounted) {
    census = countTiles(visited.intervals, masked->intervals,
                        llvm::divideCeil(queries, shape.queries),
                        llvm::divideCeil(keys, shape.keys), {});
    addParts(*census);
  }
  return toDictionary(op.getContext(), census, nonzeros);
}

/// The lengths of rows, with the nominal values of guessSizes for unknown
/// extents and symbols.
RowLengths ClosedForm::measureRows() const {
  NominalSizes sizes = guessSizes(attention);
  std::vector<std::vector<LatticePart>> classes;
  if (rows)
    for (const RowClass &one : rows->classes)
      classes.push_back({{one.shape, one.visited}});
  else
    classes.emplace_back(parts).push_back({shape, visited});
  auto length = [classes, sizes](int64_t row) {
    int64_t tiles = 0, number = row % classes.size();
    for (const LatticePart &part : classes[number]) {
      int64_t count =
          llvm::divideCeil(std::max<int64_t>(sizes.keys - part.shape.offset, 0),
                           part.shape.stride * part.shape.keys);
      // Overlaps are counted twice, which is precise enough for an order.
      int64_t visited = 0;
      for (const TileInterval &interval : part.visited.intervals) {
        auto [begin, end] =
            interval.at(row / classes.size(), count, sizes.symbols);
        visited += end - begin;
      }
      tiles += std::min(visited, count);
    }
    return tiles;
  };
  int64_t count = llvm::divideCeil(sizes.queries, shape.queries);
  if (rows) {
    count = 0;
    for (const RowClass &one : rows->classes)
      count += one.rowTiles;
  }
  // A row tile that is alone, as in decoding, may visit all keys of a cache:
  // how many of them are in use is a symbol.
  bool isGuess =
      llvm::any_of(attention.set.getSymbols(), [](const Expr *symbol) {
        return symbol->op != ScalarOp::Extent;
      });
  return {count, length, /*areBounds=*/count == 1 && isGuess};
}

std::optional<LayoutPlan> ClosedForm::plan(std::string &why) {
  if (!findTiles()) {
    why = "the tiles of its mask have no closed form";
    return std::nullopt;
  }
  if (failed(bindSymbols(why)))
    return std::nullopt;
  MLIRContext *ctx = op.getContext();
  auto optional = [&](ArrayRef<Attribute> list) {
    return list.empty() ? ArrayAttr() : ArrayAttr::get(ctx, list);
  };
  // The mask is evaluated on every tile of a lattice: some of its positions may
  // be in a plain tile as well.
  ArrayAttr everywhere =
      ArrayAttr::get(ctx, IntervalAttr::get(ctx, {}, {}, {}));
  SmallVector<Attribute> latticeAttrs;
  for (const LatticePart &part : parts)
    latticeAttrs.push_back(LatticeAttr::get(
        ctx, part.shape.stride, part.shape.offset,
        toAttribute(part.visited.intervals, std::nullopt), everywhere));
  LayoutPlan plan;
  plan.layout = LayoutAttr::get(
      ctx, shape.queries, shape.keys, LayoutStorage::ClosedForm,
      rows ? toAttribute(&RowClass::visited)
           : toAttribute(visited.intervals, countKeyTiles(shape)),
      rows ? toAttribute(&RowClass::partial)
           : toAttribute(partial.intervals, countKeyTiles(shape)),
      optional(latticeAttrs), rows ? rows->stride : 1, rows ? rows->residue : 0,
      optional(positions), count());
  plan.operands = operands;
  plan.rows = measureRows();
  plan.isExact = isExact;
  plan.notGathered = notGathered;
  return plan;
}

std::optional<LayoutPlan> stof::planClosedForm(const MaskedAttention &attention,
                                               bool lattices,
                                               std::string &why) {
  return ClosedForm(attention, lattices).plan(why);
}

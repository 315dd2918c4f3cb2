//===----------------------------------------------------------------------===//
// Proofs that no row of a mask is empty.
//
//   1. Each piece of the set of pairs that are kept for certain is projected
//      onto the query: a piece whose projection is not exact over the integers
//      is cut down to one key for each query (the diagonal, the first key, the
//      last) where it is.
//   2. All queries without those of the first piece, without those of the
//      second and so on are none. What lies outside a piece breaks one of its
//      constraints, so each constraint is negated in turn.
//===----------------------------------------------------------------------===//

#include "stof/Mask/RowCover.h"

#include "stof/Mask/MaskGrid.h"
#include "stof/Mask/TileIntervals.h"

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerRelation;
using presburger::PresburgerSet;

/// Keys beyond this one are no part of a proof.
static constexpr int64_t maxKeys = int64_t(1) << 20;
/// A proof of more cases than this is not tried to its end.
static constexpr unsigned maxCases = 2048;
/// Rows of a known mask that are looked at, of all batches and heads.
static constexpr int64_t maxRows = int64_t(1) << 16;
/// Nodes of its predicate that are evaluated for it (MaskGrid::getWork).
static constexpr int64_t maxWork = int64_t(1) << 28;

namespace {

using Row = SmallVector<int64_t, 8>;

class CoverProof {
public:
  CoverProof(const MaskExpr &mask, const MaskSet &set) : mask(mask), set(set) {}

  bool run();

private:
  void addQueriesOf(const IntegerRelation &piece);
  bool addExact(const IntegerRelation &piece);
  std::optional<Row> lengthRow(const Expr *length) const;
  std::vector<Row> chooseKeys() const;
  bool isCovered(const IntegerPolyhedron &rest, size_t piece);

  const MaskExpr &mask;
  const MaskSet &set;
  /// The constraints of each projected piece, none of them an equality.
  std::vector<std::vector<Row>> pieces;
  unsigned cases = 0;
};

} // namespace

/// `length` as a row over (query, key), the symbols and the constant.
std::optional<Row> CoverProof::lengthRow(const Expr *length) const {
  Row row(MaskSet::numDims + set.getSymbols().size() + 1, 0);
  if (std::optional<int64_t> known = length->getInt()) {
    row.back() = *known;
    return row;
  }
  const auto *symbol = llvm::find(set.getSymbols(), length);
  if (symbol == set.getSymbols().end())
    return std::nullopt;
  row[MaskSet::numDims + (symbol - set.getSymbols().begin())] = 1;
  return row;
}

/// Equalities that give one key for each query: -1 times the key plus the rest.
std::vector<Row> CoverProof::chooseKeys() const {
  std::optional<Row> queries = lengthRow(mask.query->operands[0]),
                     keys = lengthRow(mask.key->operands[0]);
  Row first(MaskSet::numDims + set.getSymbols().size() + 1, 0);
  first[MaskSet::key] = -1;
  Row diagonal = first;
  diagonal[MaskSet::query] = 1;
  std::vector<Row> rows{diagonal, first};
  if (!queries || !keys)
    return rows;
  Row fromEnd = diagonal, last = first;
  for (auto [number, length] : llvm::enumerate(*keys)) {
    fromEnd[number] += length - (*queries)[number];
    last[number] += length;
  }
  --last.back();
  rows.push_back(fromEnd);
  rows.push_back(last);
  return rows;
}

/// The queries for which `piece` holds the key that `choice` gives, as pairs of
/// them and the key 0.
static IntegerPolyhedron substituteKey(const IntegerRelation &piece,
                                       ArrayRef<int64_t> choice) {
  auto substitute = [&](Row row) {
    int64_t factor = row[MaskSet::key];
    for (auto [number, value] : llvm::enumerate(choice.drop_back()))
      row[number] += factor * value;
    row.back() += factor * choice.back();
    return row;
  };
  IntegerPolyhedron result(piece.getSpace());
  for (unsigned i = 0; i < piece.getNumEqualities(); ++i)
    result.addEquality(substitute(Row(piece.getEquality64(i))));
  for (unsigned i = 0; i < piece.getNumInequalities(); ++i)
    result.addInequality(substitute(Row(piece.getInequality64(i))));
  Row first(piece.getNumCols(), 0);
  first[MaskSet::key] = 1;
  result.addEquality(first);
  return result;
}

/// Adds the queries of `piece`, if they are found exactly.
bool CoverProof::addExact(const IntegerRelation &piece) {
  PresburgerSet one{PresburgerRelation(piece)};
  std::optional<TouchedTiles> touched =
      findTouchedTiles(one, set.getDomain(), {/*queries=*/1, maxKeys});
  if (!touched || !touched->isExact)
    return false;
  for (const IntegerPolyhedron &found : touched->polyhedra) {
    std::vector<Row> rows;
    for (unsigned i = 0; i < found.getNumInequalities(); ++i)
      rows.push_back(Row(found.getInequality64(i)));
    pieces.push_back(std::move(rows));
  }
  return true;
}

void CoverProof::addQueriesOf(const IntegerRelation &piece) {
  if (addExact(piece))
    return;
  for (ArrayRef<int64_t> choice : chooseKeys())
    addExact(substituteKey(piece, choice));
}

/// Whether all queries of `rest` are among those of the pieces from `piece` on.
bool CoverProof::isCovered(const IntegerPolyhedron &rest, size_t piece) {
  if (++cases > maxCases)
    return false;
  if (rest.isIntegerEmpty())
    return true;
  if (piece == pieces.size())
    return false;
  IntegerPolyhedron inside = rest;
  for (ArrayRef<int64_t> row : pieces[piece]) {
    // The locals of `rest` come before the constant.
    Row widened(row.drop_back());
    widened.resize(rest.getNumCols() - 1, 0);
    widened.push_back(row.back());
    Row broken(widened);
    for (int64_t &value : broken)
      value = -value;
    --broken.back();
    IntegerPolyhedron outside = inside;
    outside.addInequality(broken);
    if (!isCovered(outside, piece + 1))
      return false;
    inside.addInequality(widened);
  }
  return true;
}

bool CoverProof::run() {
  for (const IntegerRelation &piece : set.getMust().getAllDisjuncts())
    addQueriesOf(piece);
  // All queries: pairs with the key 0, whether there is one or not.
  IntegerPolyhedron all(set.getPaddedDomain().getDisjunct(0));
  Row first(all.getNumCols(), 0);
  first[MaskSet::key] = 1;
  all.addEquality(first);
  return isCovered(all, 0);
}

//===----------------------------------------------------------------------===//
// Masks that are known
//===----------------------------------------------------------------------===//

static bool holdsPair(MaskGrid &grid, const PairBox &box) {
  switch (grid.bound(box)) {
  case MaskGrid::Kept::none:
    return false;
  case MaskGrid::Kept::all:
    return true;
  case MaskGrid::Kept::some:
    break;
  }
  if (box.size() == 1)
    return false;
  auto [first, second] = box.halve();
  return holdsPair(grid, first) || holdsPair(grid, second);
}

static bool holdsPairInEachRow(const MaskExpr &mask) {
  std::string why;
  std::optional<MaskGrid> grid = MaskGrid::create(mask, why);
  auto extent = [](const Expr *coordinate) {
    return coordinate->operands[0]->getInt();
  };
  std::optional<int64_t> queries = extent(mask.query), keys = extent(mask.key);
  if (!grid || !queries || !keys || *keys == 0)
    return false;
  std::optional<int64_t> batches = 1, heads = 1;
  if (grid->dependsOnBatch())
    batches = extent(mask.batch);
  if (grid->dependsOnHead())
    heads = extent(mask.head);
  if (!batches || !heads || *queries * *batches * *heads > maxRows)
    return false;
  for (int64_t batch = 0; batch < *batches; ++batch)
    for (int64_t head = 0; head < *heads; ++head) {
      grid->setBatchAndHead(batch, head);
      for (int64_t query = 0; query < *queries; ++query)
        if (grid->getWork() > maxWork ||
            !holdsPair(*grid, {query, query + 1, 0, *keys}))
          return false;
    }
  return true;
}

bool stof::coversAllRows(const MaskExpr &mask, const MaskSet &set) {
  return CoverProof(mask, set).run() || holdsPairInEachRow(mask);
}

//===----------------------------------------------------------------------===//
// Proofs that no row of a mask is fully masked.
//
//   1. Each disjunct of the must set is projected onto the query. If the
//      projection is not exact over the integers, the disjunct is restricted to
//      one key per query (the diagonal, the first key, the last), whose
//      projections are added if they are exact.
//   2. Subtracting the queries of all disjuncts, one after another, from the
//      set of all queries leaves the empty set. The complement of a disjunct
//      violates one of its constraints, so each constraint is negated in turn.
//===----------------------------------------------------------------------===//

#include "stof/Mask/NonEmptyRows.h"

#include "stof/Mask/MaskIntervalEvaluator.h"
#include "stof/Mask/TileIntervals.h"

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerRelation;
using presburger::PresburgerSet;

/// Proofs use the keys below this one only.
static constexpr int64_t maxKeys = int64_t(1) << 20;
/// A proof is given up after this many cases.
static constexpr unsigned maxCases = 2048;
/// The most rows of a constant mask that are evaluated, over all batches and
/// heads.
static constexpr int64_t maxRows = int64_t(1) << 16;
/// The most nodes that are evaluated for them (MaskIntervalEvaluator::getWork).
static constexpr int64_t maxWork = int64_t(1) << 28;

namespace {

using Row = SmallVector<int64_t, 8>;

class CoverProof {
public:
  CoverProof(const MaskExpr &mask, const MaskSet &set) : mask(mask), set(set) {}

  bool run();

private:
  void addQueriesOf(const IntegerRelation &disjunct);
  bool addExact(const IntegerRelation &disjunct);
  std::optional<Row> lengthRow(const Expr *length) const;
  std::vector<Row> chooseKeys() const;
  bool isCovered(const IntegerPolyhedron &rest, size_t disjunct);

  const MaskExpr &mask;
  const MaskSet &set;
  /// The inequalities of each projected disjunct.
  std::vector<std::vector<Row>> disjuncts;
  unsigned cases = 0;
};

} // namespace

/// `length` as a row over (query, key), the symbols and the constant.
std::optional<Row> CoverProof::lengthRow(const Expr *length) const {
  Row row(MaskSet::NumDims + set.getSymbols().size() + 1, 0);
  if (std::optional<int64_t> known = length->getInt()) {
    row.back() = *known;
    return row;
  }
  const auto *symbol = llvm::find(set.getSymbols(), length);
  if (symbol == set.getSymbols().end())
    return std::nullopt;
  row[MaskSet::NumDims + (symbol - set.getSymbols().begin())] = 1;
  return row;
}

/// Equalities that define one key per query, with the factor -1 for the key.
std::vector<Row> CoverProof::chooseKeys() const {
  std::optional<Row> queries = lengthRow(mask.query->operands[0]),
                     keys = lengthRow(mask.key->operands[0]);
  Row first(MaskSet::NumDims + set.getSymbols().size() + 1, 0);
  first[MaskSet::Key] = -1;
  Row diagonal = first;
  diagonal[MaskSet::Query] = 1;
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

/// The queries whose key by `choice` is in `disjunct`, as pairs with the key 0.
static IntegerPolyhedron substituteKey(const IntegerRelation &disjunct,
                                       ArrayRef<int64_t> choice) {
  auto substitute = [&](Row row) {
    int64_t factor = row[MaskSet::Key];
    for (auto [number, value] : llvm::enumerate(choice.drop_back()))
      row[number] += factor * value;
    row.back() += factor * choice.back();
    return row;
  };
  IntegerPolyhedron result(disjunct.getSpace());
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i)
    result.addEquality(substitute(Row(disjunct.getEquality64(i))));
  for (unsigned i = 0; i < disjunct.getNumInequalities(); ++i)
    result.addInequality(substitute(Row(disjunct.getInequality64(i))));
  Row first(disjunct.getNumCols(), 0);
  first[MaskSet::Key] = 1;
  result.addEquality(first);
  return result;
}

/// Adds the queries of `disjunct` if their projection is exact.
bool CoverProof::addExact(const IntegerRelation &disjunct) {
  PresburgerSet one{PresburgerRelation(disjunct)};
  std::optional<TouchedTiles> touched =
      findTouchedTiles(one, set.getDomain(), {/*queries=*/1, maxKeys});
  if (!touched || !touched->isExact)
    return false;
  for (const IntegerPolyhedron &found : touched->polyhedra) {
    std::vector<Row> rows;
    for (unsigned i = 0; i < found.getNumInequalities(); ++i)
      rows.push_back(Row(found.getInequality64(i)));
    disjuncts.push_back(std::move(rows));
  }
  return true;
}

void CoverProof::addQueriesOf(const IntegerRelation &disjunct) {
  if (addExact(disjunct))
    return;
  for (ArrayRef<int64_t> choice : chooseKeys())
    addExact(substituteKey(disjunct, choice));
}

/// Whether the disjuncts from `disjunct` on contain all queries of `rest`.
bool CoverProof::isCovered(const IntegerPolyhedron &rest, size_t disjunct) {
  if (++cases > maxCases)
    return false;
  if (rest.isIntegerEmpty())
    return true;
  if (disjunct == disjuncts.size())
    return false;
  IntegerPolyhedron inside = rest;
  for (ArrayRef<int64_t> row : disjuncts[disjunct]) {
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
    if (!isCovered(outside, disjunct + 1))
      return false;
    inside.addInequality(widened);
  }
  return true;
}

bool CoverProof::run() {
  for (const IntegerRelation &disjunct : set.getMust().getAllDisjuncts())
    addQueriesOf(disjunct);
  // All queries, as pairs with the key 0 even if there is no key.
  IntegerPolyhedron all(set.getPaddedDomain().getDisjunct(0));
  Row first(all.getNumCols(), 0);
  first[MaskSet::Key] = 1;
  all.addEquality(first);
  return isCovered(all, 0);
}

//===----------------------------------------------------------------------===//
// Constant masks
//===----------------------------------------------------------------------===//

static bool holdsPair(MaskIntervalEvaluator &grid, const PairBox &box) {
  switch (grid.bound(box)) {
  case MaskIntervalEvaluator::Kept::None:
    return false;
  case MaskIntervalEvaluator::Kept::All:
    return true;
  case MaskIntervalEvaluator::Kept::Some:
    break;
  }
  if (box.size() == 1)
    return false;
  auto [first, second] = box.halve();
  return holdsPair(grid, first) || holdsPair(grid, second);
}

static bool holdsPairInEachRow(const MaskExpr &mask) {
  std::string why;
  std::optional<MaskIntervalEvaluator> grid =
      MaskIntervalEvaluator::create(mask, why);
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

//===----------------------------------------------------------------------===//
// Layouts of masks of captured constants: tile lists (Mask/TileTable.h) as
// constant tables.
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"
#include "stof/Mask/TileTable.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace stof;

/// The most tiles of a mask with tables.
static constexpr int64_t maxEntries = int64_t(1) << 22;
/// The most words of its bitmaps.
static constexpr size_t maxWords = size_t(1) << 24;
/// The most work of listing its tiles, a few seconds, if intervals bound them
/// as well or the predicate is so large that a kernel lists them faster.
static constexpr int64_t maxWork = int64_t(1) << 28;
/// The most work for masks of captured constants, whose tiles cannot be found
/// otherwise.
static constexpr int64_t maxConstantWork = maxWork << 4;

/// The small tiles from which those of candidates are counted.
static constexpr TileShape unit{16, 16};

namespace {
/// Plans the tables of one attention.
class Tables {
public:
  /// Nothing, with the reason in `why`, if its mask has no constant tables.
  static std::optional<Tables> create(const MaskedAttention &attention,
                                      std::string &why);

  /// Tables without elements; nothing if units are not listed.
  std::optional<LayoutPlan> weigh();
  std::optional<LayoutPlan> plan(std::string &why);

private:
  Tables(const MaskedAttention &attention, MaskIntervalEvaluator grid)
      : attention(attention), grid(std::move(grid)) {}

  /// Calls `each` for every mask while that returns true.
  bool forEachMask(llvm::function_ref<bool()> each);
  void listUnits(ListedUnits &units);
  Value makeConstant(DenseElementsAttr value) const;
  LayoutAttr makeLayout(const TileCensus &census, int64_t nonzeros) const;

  const MaskedAttention &attention;
  MaskIntervalEvaluator grid;
  int64_t batches, heads, rows, keys;
  /// The most work of listing tiles.
  int64_t most;
};
} // namespace

std::optional<Tables> Tables::create(const MaskedAttention &attention,
                                     std::string &why) {
  std::optional<MaskIntervalEvaluator> grid =
      MaskIntervalEvaluator::create(attention.mask, why);
  if (!grid)
    return std::nullopt;
  Tables tables(attention, std::move(*grid));
  auto countMasks = [&](bool differ, unsigned dim) {
    return differ ? attention.getQuerySize(dim) : 1;
  };
  tables.batches = countMasks(tables.grid.dependsOnBatch(), AttentionOp::Batch);
  tables.heads = countMasks(tables.grid.dependsOnHead(), AttentionOp::Head);
  tables.rows = attention.getQuerySize(AttentionOp::Position);
  tables.keys = attention.getNumKeys();
  for (int64_t extent :
       {tables.batches, tables.heads, tables.rows, tables.keys})
    if (ShapedType::isDynamic(extent)) {
      why = "its sizes are known at run time";
      return std::nullopt;
    }
  bool isShort =
      !attention.set.isExact() && !attention.set.hasTooManyDisjuncts();
  tables.most = isShort ? maxConstantWork : maxWork;
  return tables;
}

bool Tables::forEachMask(llvm::function_ref<bool()> each) {
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t head = 0; head < heads; ++head) {
      grid.setBatchAndHead(batch, head);
      if (!each())
        return false;
    }
  return true;
}

Value Tables::makeConstant(DenseElementsAttr value) const {
  OpBuilder builder(attention.op);
  return arith::ConstantOp::create(builder, AttentionOp(attention.op).getLoc(),
                                   value);
}

LayoutAttr Tables::makeLayout(const TileCensus &census,
                              int64_t nonzeros) const {
  MLIRContext *context = AttentionOp(attention.op).getContext();
  return LayoutAttr::get(context, attention.shape.queries, attention.shape.keys,
                         LayoutStorage::Tables, /*visited=*/{}, /*partial=*/{},
                         /*lattices=*/{}, /*row_stride=*/1, /*residue=*/0,
                         /*symbols=*/{},
                         toDictionary(context, census, nonzeros));
}

void Tables::listUnits(ListedUnits &units) {
  units.isListed = true;
  int64_t listed = 0;
  bool areAll = forEachMask([&] {
    // Tables say why there are none.
    std::string why;
    std::optional<UnitTiles> tiles = UnitTiles::list(
        grid, rows, keys, unit, {maxEntries - listed, maxWords, most}, why);
    if (!tiles)
      return false;
    listed += tiles->size();
    units.masks.push_back(std::move(*tiles));
    return true;
  });
  if (!areAll)
    units.masks.clear();
}

std::optional<LayoutPlan> Tables::weigh() {
  TileShape shape = attention.shape;
  if (shape.queries % unit.queries != 0 || shape.keys % unit.keys != 0)
    return std::nullopt;
  ListedUnits &units = *attention.units;
  if (!units.isListed)
    listUnits(units);
  if (units.masks.empty())
    return std::nullopt;
  LayoutPlan plan;
  TileCensus census;
  int64_t nonzeros = 0;
  for (const UnitTiles &mask : units.masks) {
    UnitTiles::Counts counts = mask.count(shape);
    census += counts.census;
    nonzeros += mask.getNonzeros();
    if (!plan.rows.at)
      plan.rows = {
          static_cast<int64_t>(counts.lengths.size()),
          [lengths = counts.lengths](int64_t row) { return lengths[row]; }};
  }
  auto type = RankedTensorType::get(
      {batches, heads, plan.rows.count, LayoutAttr::rangeSize},
      OpBuilder(attention.op).getI64Type());
  plan.operands.push_back(
      makeConstant(DenseElementsAttr::get(type, int64_t(0))));
  plan.layout = makeLayout(census, nonzeros);
  return plan;
}

std::optional<LayoutPlan> Tables::plan(std::string &why) {
  TileShape shape = attention.shape;
  int64_t rowTiles = llvm::divideCeil(rows, shape.queries);
  int64_t tilesOfMask = rowTiles * llvm::divideCeil(keys, shape.keys);
  TileCensus census;
  int64_t nonzeros = 0;
  SmallVector<int64_t> ranges;
  SmallVector<TileTable::Entry> entries;
  BitmapPool bitmaps(shape);
  // Equal rows share their entries.
  std::map<std::vector<TileTable::Entry>, int64_t> known;
  bool areAll = forEachMask([&] {
    std::optional<TileTable> table = tabulateTiles(
        grid, rows, keys, shape,
        {maxEntries - int64_t(entries.size()), maxWords, most}, bitmaps, why);
    if (!table)
      return false;
    census.full += table->full;
    census.partial += table->partial;
    census.empty += tilesOfMask - table->full - table->partial;
    nonzeros += table->nonzeros;
    for (const std::vector<TileTable::Entry> &row : table->entries) {
      census.longest = std::max(census.longest, int64_t(row.size()));
      std::vector<TileTable::Entry> ordered;
      llvm::copy_if(row, std::back_inserter(ordered), TileTable::isPartial);
      int64_t partial = ordered.size(), all = row.size();
      llvm::copy_if(row, std::back_inserter(ordered),
                    std::not_fn(TileTable::isPartial));
      auto [it, isNew] = known.try_emplace(ordered, entries.size());
      if (isNew)
        llvm::append_range(entries, ordered);
      int64_t first = it->second;
      llvm::append_values(ranges, first, first + partial, first + all);
    }
    return true;
  });
  if (!areAll)
    return std::nullopt;
  // The mainloop reads one entry ahead.
  entries.push_back(0);
  LayoutPlan plan;
  auto append = [&](ArrayRef<int64_t> extents, auto values) {
    auto type = RankedTensorType::get(
        extents,
        OpBuilder(attention.op).getIntegerType(8 * sizeof(values.front())));
    plan.operands.push_back(
        makeConstant(DenseIntElementsAttr::get(type, values)));
  };
  append({batches, heads, rowTiles, LayoutAttr::rangeSize},
         ArrayRef<int64_t>(ranges));
  append({int64_t(entries.size())}, ArrayRef<TileTable::Entry>(entries));
  // Tables must not be empty.
  if (bitmaps.size() == 0)
    bitmaps.add(bitmaps.make());
  append({bitmaps.size(), shape.queries, bitmaps.getWordsOfRow()},
         bitmaps.getWords());
  plan.rows = {rowTiles, [ranges](int64_t row) -> int64_t {
                 const int64_t *range = &ranges[LayoutAttr::rangeSize * row];
                 return range[LayoutAttr::EndOfRow] -
                        range[LayoutAttr::FirstPartial];
               }};
  plan.layout = makeLayout(census, nonzeros);
  return plan;
}

std::optional<LayoutPlan> stof::planTables(const MaskedAttention &attention,
                                           std::string &why) {
  std::optional<Tables> tables = Tables::create(attention, why);
  if (!tables)
    return std::nullopt;
  if (attention.units)
    if (std::optional<LayoutPlan> weighed = tables->weigh())
      return weighed;
  return tables->plan(why);
}

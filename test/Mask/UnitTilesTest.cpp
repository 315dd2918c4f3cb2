//===----------------------------------------------------------------------===//
// Tiles counted from units, against tables of the same tiles.
//===----------------------------------------------------------------------===//

#include "stof/Mask/Census/UnitTiles.h"
#include "../lib/ScalarCases.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stof;
using namespace stof::test;

namespace {

constexpr int64_t numQueries = 37, numKeys = 43;
constexpr TileShape unit{.queries = 2, .keys = 3};

class UnitTilesTest : public ::testing::Test {
protected:
  UnitTilesTest() { ir.loadDialect<arith::ArithDialect>(); }

  MLIRContext ir;
};

} // namespace

/// Calls `check` with random masks.
static void
forEachMask(MLIRContext &ir,
            llvm::function_ref<void(MaskIntervalEvaluator &)> check) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    ExprContext context(&ir);
    CaseMaker maker(context, {numQueries, numKeys}, seed);
    Case made = maker.predicate(1 + seed % 3);
    const Expr *one = context.integer(1);
    MaskExpr mask{context.variable(one), context.variable(one),
                  maker.getVariables()[0], maker.getVariables()[1], made.expr};
    std::string why;
    std::optional<MaskIntervalEvaluator> grid =
        MaskIntervalEvaluator::create(mask, why);
    ASSERT_TRUE(grid) << why;
    check(*grid);
  }
}

namespace {
TEST_F(UnitTilesTest, CountsAreThoseOfTables) {
  unsigned partial = 0;
  forEachMask(ir, [&](MaskIntervalEvaluator &grid) {
    std::string why;
    std::optional<UnitTiles> units = UnitTiles::list(
        grid, numQueries, numKeys, unit, {.tiles = numQueries * numKeys}, why);
    ASSERT_TRUE(units) << why;
    for (int64_t height : {1, 2, 5, 40})
      for (int64_t width : {1, 3, 4, 50}) {
        TileShape shape{height * unit.queries, width * unit.keys};
        BitmapPool bitmaps(shape);
        std::optional<TileTable> table =
            tabulateTiles(grid, numQueries, numKeys, shape,
                          {.tiles = numQueries * numKeys}, bitmaps, why);
        ASSERT_TRUE(table) << why;
        UnitTiles::Counts counts = units->count(shape);
        EXPECT_EQ(counts.census.full, table->full);
        EXPECT_EQ(counts.census.partial, table->partial);
        EXPECT_EQ(units->getNonzeros(), table->nonzeros);
        ASSERT_EQ(counts.lengths.size(), table->entries.size());
        EXPECT_EQ(counts.census.longest, *llvm::max_element(counts.lengths));
        int64_t all = 0;
        for (auto [length, entries] :
             llvm::zip(counts.lengths, table->entries)) {
          EXPECT_EQ(length, static_cast<int64_t>(entries.size()));
          all += llvm::divideCeil(numKeys, shape.keys);
        }
        EXPECT_EQ(counts.census.full + counts.census.partial +
                      counts.census.empty,
                  all);
        partial += table->partial;
      }
  });
  EXPECT_GT(partial, 1000u);
}

TEST_F(UnitTilesTest, NoUnitsBeyondTheLimit) {
  ExprContext context(&ir);
  const Expr *one = context.integer(1);
  MaskExpr mask{context.variable(one), context.variable(one),
                context.variable(context.integer(numQueries)),
                context.variable(context.integer(numKeys)),
                context.boolean(true)};
  std::string why;
  std::optional<MaskIntervalEvaluator> grid =
      MaskIntervalEvaluator::create(mask, why);
  ASSERT_TRUE(grid) << why;
  EXPECT_FALSE(
      UnitTiles::list(*grid, numQueries, numKeys, unit, {.tiles = 10}, why));
  EXPECT_EQ(why, "it touches too many tiles to list them");
}

} // namespace

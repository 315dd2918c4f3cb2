//===----------------------------------------------------------------------===//
// Sets, intervals of tiles and boxes of a mask, against the mask asked pair by
// pair.
//===----------------------------------------------------------------------===//

#include "../lib/ScalarCases.h"
#include "stof/Mask/MaskIntervalEvaluator.h"
#include "stof/Mask/NonEmptyRows.h"
#include "stof/Mask/TileIntervals.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stof;
using namespace stof::test;

namespace {

constexpr int64_t numQueries = 11, numKeys = 13;

/// A random predicate of queries and keys, as a mask.
struct RandomMask {
  RandomMask(ExprContext &context, unsigned seed)
      : maker(context, {numQueries, numKeys}, seed),
        made(maker.predicate(1 + seed % 3)) {
    const Expr *one = context.integer(1);
    mask = {context.variable(one), context.variable(one),
            maker.getVariables()[0], maker.getVariables()[1], made.expr};
  }
  bool keeps(int64_t query, int64_t key) const {
    return made.value({query, key});
  }

  CaseMaker maker;
  Case made;
  MaskExpr mask;
};

class MaskSetTest : public ::testing::Test {
protected:
  MaskSetTest() { ir.loadDialect<arith::ArithDialect>(); }

  MLIRContext ir;
};

TEST_F(MaskSetTest, MustAndMayEncloseTheMask) {
  unsigned exact = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE(seed);
    ExprContext context(&ir);
    RandomMask mask(context, seed);
    MaskSet set(context, mask.mask);
    exact += set.isExact();
    for (int64_t query = 0; query < numQueries; ++query)
      for (int64_t key = 0; key < numKeys; ++key) {
        llvm::SmallVector<int64_t> pair{query, key};
        ASSERT_TRUE(set.getSymbols().empty());
        bool must = set.getMust().containsPoint(pair);
        bool may = set.getMay().containsPoint(pair);
        ASSERT_TRUE(!must || mask.keeps(query, key)) << query << ", " << key;
        ASSERT_TRUE(may || !mask.keeps(query, key)) << query << ", " << key;
        if (set.isExact()) {
          ASSERT_EQ(must, may);
        }
        ASSERT_TRUE(set.getDomain().containsPoint(pair));
      }
  }
  EXPECT_GT(exact, 100u);
}

TEST_F(MaskSetTest, IntervalsHoldTheTilesThatArePartlyUnmasked) {
  for (unsigned seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE(seed);
    ExprContext context(&ir);
    RandomMask mask(context, seed);
    MaskSet set(context, mask.mask);
    TileShape shape{.queries = 4, .keys = 3};
    std::optional<TouchedTiles> tiles =
        findTouchedTiles(set.getMay(), set.getDomain(), shape);
    if (!tiles)
      continue;
    int64_t keyTiles = llvm::divideCeil(numKeys, shape.keys);
    for (int64_t row = 0; row * shape.queries < numQueries; ++row)
      for (int64_t tile = 0; tile < keyTiles; ++tile) {
        bool listed =
            llvm::any_of(tiles->intervals, [&](const TileInterval &interval) {
              auto [first, end] = interval.at(row, keyTiles, {});
              return first <= tile && tile < end;
            });
        bool may = false;
        for (int64_t query = row * shape.queries;
             query < std::min((row + 1) * shape.queries, numQueries); ++query)
          for (int64_t key = tile * shape.keys;
               key < std::min((tile + 1) * shape.keys, numKeys); ++key)
            may |= set.getMay().containsPoint(
                llvm::SmallVector<int64_t>{query, key});
        ASSERT_TRUE(listed || !may) << "tile " << row << ", " << tile;
        if (tiles->isExact) {
          ASSERT_EQ(listed, may) << "tile " << row << ", " << tile;
        }
      }
  }
}

TEST_F(MaskSetTest, BoxesAreTheUnmaskedPositions) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    ExprContext context(&ir);
    RandomMask mask(context, seed);
    std::string why;
    std::optional<MaskIntervalEvaluator> evaluator =
        MaskIntervalEvaluator::create(mask.mask, why);
    ASSERT_TRUE(evaluator) << why;
    evaluator->setBatchAndHead(0, 0);
    PairBox all{0, numQueries, 0, numKeys};
    int seen[numQueries][numKeys] = {};
    evaluator->visitKept(all, [&](const PairBox &box) {
      for (int64_t query = box.firstQuery; query < box.endQuery; ++query)
        for (int64_t key = box.firstKey; key < box.endKey; ++key)
          ++seen[query][key];
    });
    for (int64_t query = 0; query < numQueries; ++query)
      for (int64_t key = 0; key < numKeys; ++key)
        ASSERT_EQ(seen[query][key], mask.keeps(query, key))
            << query << ", " << key;
  }
}

TEST_F(MaskSetTest, RowsThatAreProvenNonEmptyAre) {
  unsigned proven = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    ExprContext context(&ir);
    RandomMask mask(context, seed);
    if (!coversAllRows(mask.mask, MaskSet(context, mask.mask)))
      continue;
    ++proven;
    for (int64_t query = 0; query < numQueries; ++query) {
      bool any = false;
      for (int64_t key = 0; key < numKeys; ++key)
        any |= mask.keeps(query, key);
      ASSERT_TRUE(any) << "query " << query;
    }
  }
  EXPECT_GT(proven, 30u);
}

} // namespace

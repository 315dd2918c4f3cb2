//===----------------------------------------------------------------------===//
// Intersections and differences of intervals, against sets of key tiles.
//===----------------------------------------------------------------------===//

#include "../../lib/Conversion/StofToTile/Attention/IntervalSets.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace stof;

namespace {

constexpr int64_t numRowTiles = 9, numKeyTiles = 11;

class IntervalSetsTest : public ::testing::Test {
protected:
  IntervalSetsTest() { ir.loadDialect<StofDialect>(); }

  /// An expression of the row tile.
  AffineExpr makeBound() {
    std::uniform_int_distribution<int64_t> kind(0, 3), distance(-4, 8);
    AffineExpr row = getAffineDimExpr(LayoutAttr::RowTileDim, &ir);
    switch (kind(random)) {
    case 0:
      return getAffineConstantExpr(distance(random), &ir);
    case 1:
      return row.floorDiv(2) + distance(random);
    case 2:
      return distance(random) - row;
    default:
      return row + distance(random);
    }
  }

  /// At most `most` bounds; null for none.
  AffineMapAttr makeBounds(int64_t most) {
    std::uniform_int_distribution<int64_t> number(0, most);
    SmallVector<AffineExpr> bounds;
    for (int64_t left = number(random); left > 0; --left)
      bounds.push_back(makeBound());
    if (bounds.empty())
      return {};
    return AffineMapAttr::get(
        AffineMap::get(LayoutAttr::numDims, /*symbolCount=*/0, bounds, &ir));
  }

  ArrayAttr makeIntervals() {
    std::uniform_int_distribution<int64_t> number(0, 3);
    SmallVector<Attribute> intervals;
    for (int64_t left = number(random); left > 0; --left)
      intervals.push_back(
          IntervalAttr::get(&ir, makeBounds(2), makeBounds(2), makeBounds(1)));
    return ArrayAttr::get(&ir, intervals);
  }

  /// The values of the bounds of a row tile; none without bounds.
  SmallVector<int64_t> evaluate(AffineMapAttr map, int64_t rowTile) {
    if (!map)
      return {};
    Builder builder(&ir);
    SmallVector<Attribute> operands(LayoutAttr::numDims,
                                    builder.getIndexAttr(0)),
        values;
    operands[LayoutAttr::RowTileDim] = builder.getIndexAttr(rowTile);
    EXPECT_TRUE(succeeded(map.getValue().constantFold(operands, values)));
    return llvm::map_to_vector(values, [](Attribute value) {
      return cast<IntegerAttr>(value).getInt();
    });
  }

  bool contains(ArrayAttr intervals, int64_t rowTile, int64_t keyTile) {
    return llvm::any_of(
        intervals.getAsRange<IntervalAttr>(), [&](IntervalAttr interval) {
          auto all = [&](AffineMapAttr map, auto holds) {
            return llvm::all_of(evaluate(map, rowTile), holds);
          };
          return all(interval.getFrom(),
                     [&](int64_t from) { return from <= keyTile; }) &&
                 all(interval.getTo(),
                     [&](int64_t to) { return keyTile < to; }) &&
                 all(interval.getWhere(),
                     [](int64_t where) { return where >= 0; });
        });
  }

  MLIRContext ir;
  std::mt19937 random{7};
};

} // namespace

TEST_F(IntervalSetsTest, RandomIntervals) {
  for (int round = 0; round < 200; ++round) {
    ArrayAttr lhs = makeIntervals(), rhs = makeIntervals();
    ArrayAttr both = intersectIntervals(lhs, rhs),
              rest = subtractIntervals(lhs, rhs);
    for (int64_t row = 0; row < numRowTiles; ++row)
      for (int64_t key = 0; key < numKeyTiles; ++key) {
        bool inLhs = contains(lhs, row, key), inRhs = contains(rhs, row, key);
        EXPECT_EQ(contains(both, row, key), inLhs && inRhs);
        EXPECT_EQ(contains(rest, row, key), inLhs && !inRhs);
      }
  }
}

TEST_F(IntervalSetsTest, EmptyIntervalsAreLeftOut) {
  AffineExpr row = getAffineDimExpr(LayoutAttr::RowTileDim, &ir);
  auto until = [&](AffineExpr from, AffineExpr to) {
    auto toMap = [&](AffineExpr bound) {
      return AffineMapAttr::get(
          AffineMap::get(LayoutAttr::numDims, /*symbolCount=*/0, bound));
    };
    return ArrayAttr::get(&ir, IntervalAttr::get(&ir, toMap(from), toMap(to),
                                                 /*where=*/{}));
  };
  ArrayAttr causal = until(row - 8, row + 1), diagonal = until(row, row + 1);
  EXPECT_EQ(intersectIntervals(causal, diagonal), diagonal);
  EXPECT_EQ(subtractIntervals(causal, diagonal), until(row - 8, row));
  EXPECT_TRUE(subtractIntervals(diagonal, causal).empty());
}

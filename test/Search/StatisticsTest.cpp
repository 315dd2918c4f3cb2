//===----------------------------------------------------------------------===//
// Means, medians and rank correlations.
//===----------------------------------------------------------------------===//

#include "stof/Search/Statistics.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace stof;

namespace {

TEST(StatisticsTest, TheGeometricMeanOfAGainAndItsInverseIsOne) {
  EXPECT_DOUBLE_EQ(*geometricMean({4, 0.25}), 1);
  EXPECT_DOUBLE_EQ(*geometricMean({2, 4, 8}), 4);
  EXPECT_EQ(geometricMean({}), std::nullopt);
}

TEST(StatisticsTest, TheMedianIsInTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({}), std::nullopt);
}

TEST(StatisticsTest, EqualValuesShareTheMeanOfTheirRanks) {
  EXPECT_EQ(rankValues({30, 10, 20}), (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(rankValues({5, 7, 5, 9, 7, 7}),
            (std::vector<double>{1.5, 4, 1.5, 6, 4, 4}));
}

TEST(StatisticsTest, OnlyTheOrderOfValuesCounts) {
  EXPECT_DOUBLE_EQ(*rankCorrelation({1, 2, 3, 4}, {1, 10, 100, 1000}), 1);
  EXPECT_DOUBLE_EQ(*rankCorrelation({1, 2, 3, 4}, {9, 8, 7, -6}), -1);
  // One swap of neighbours: 1 - 6 * 2 / (4 * 15).
  EXPECT_DOUBLE_EQ(*rankCorrelation({1, 2, 3, 4}, {1, 3, 2, 4}), 0.8);
}

TEST(StatisticsTest, TiesAreCorrelatedByTheirMeanRanks) {
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
  EXPECT_DOUBLE_EQ(*rankCorrelation({1, 2, 2, 3}, {1, 2, 3, 4}),
                   4.5 / std::sqrt(22.5));
}

TEST(StatisticsTest, TwoPairsAndEqualValuesHaveNoRankCorrelation) {
  EXPECT_EQ(rankCorrelation({1, 2}, {1, 2}), std::nullopt);
  EXPECT_EQ(rankCorrelation({1, 2, 3}, {5, 5, 5}), std::nullopt);
  EXPECT_EQ(rankCorrelation({}, {}), std::nullopt);
}

} // namespace

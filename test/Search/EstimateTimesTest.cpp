//===----------------------------------------------------------------------===//
// Times of schedules that were not measured.
//===----------------------------------------------------------------------===//

#include "stof/Search/EstimateTimes.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace stof;

static TriedSchedule schedule(std::string text, std::optional<double> predicted,
                              std::optional<double> measured = {}) {
  TriedSchedule tried;
  tried.schedule = std::move(text);
  tried.predicted = predicted;
  tried.measured = measured;
  return tried;
}

TEST(EstimateTimesTest, DifferencesAreCountedByField) {
  EXPECT_EQ(countDifferences("#t<rows = 64, k = 16>", "#t<rows = 64, k = 16>"),
            0u);
  EXPECT_EQ(countDifferences("#t<rows = 64, k = 16>", "#t<rows = 32, k = 32>"),
            2u);
  // A field that one of them lacks.
  EXPECT_EQ(countDifferences("#t<rows = 64>", "#t<rows = 64, holds>"), 1u);
}

TEST(EstimateTimesTest, PredictionsStandWithoutMeasurements) {
  EXPECT_EQ(estimateTimes({schedule("a = 1", 4), schedule("a = 2", 7)}),
            (std::vector<double>{4, 7}));
}

TEST(EstimateTimesTest, WhatIsMeasuredIsNotEstimated) {
  EXPECT_EQ(estimateTimes({schedule("a = 1", 4, 9)}).front(), 9);
}

TEST(EstimateTimesTest, ThePredictionIsCorrectedByTheRatioOfOthers) {
  std::vector<double> times =
      estimateTimes({schedule("a = 1", 4, 8), schedule("a = 2", 7)});
  EXPECT_DOUBLE_EQ(times[1], 14);
}

TEST(EstimateTimesTest, NearSchedulesWeighMore) {
  // One field differs from the first (weight 1/4), two from the second (1/9).
  std::vector<double> times = estimateTimes({schedule("a = 1, b = 1", 1, 1),
                                             schedule("a = 2, b = 3", 1, 2),
                                             schedule("a = 1, b = 2", 1)});
  EXPECT_DOUBLE_EQ(times[2], (1 / 4. + 2 / 9.) / (1 / 4. + 1 / 9.));
}

TEST(EstimateTimesTest, AnUnpredictedTimeIsLongest) {
  EXPECT_TRUE(std::isinf(
      estimateTimes({schedule("a = 1", 4, 8), schedule("a = 2", {})})[1]));
}

//===----------------------------------------------------------------------===//
// How many runs are timed, for calls whose times are given.
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/TimeRuns.h"

#include "gtest/gtest.h"

using namespace stof::runtime;

namespace {

struct TimeRunsTest : testing::Test {
  /// The times of runs within `limits`, each of which takes as long as `times`
  /// says, and the last one for ever after.
  std::vector<double> run(std::vector<double> times, TimingLimits limits,
                          unsigned warmUps = 3) {
    auto measure = [&](unsigned count,
                       std::vector<double> &microseconds) -> llvm::Error {
      batches.push_back(count);
      for (unsigned i = 0; i < count; ++i)
        microseconds.push_back(times[std::min(runs++, times.size() - 1)]);
      return llvm::Error::success();
    };
    return llvm::cantFail(timeRuns(limits, warmUps, measure));
  }

  size_t runs = 0;
  std::vector<unsigned> batches;
};

using Batches = std::vector<unsigned>;

TEST_F(TimeRunsTest, AllRunsAreTimedAfterAWarmUp) {
  EXPECT_EQ(run({9, 8, 7, 2}, {30}), std::vector<double>(30, 2));
  EXPECT_EQ(batches, Batches({1, 1, 1, 30}));
}

TEST_F(TimeRunsTest, ManyRunsAreTimedInBatches) {
  EXPECT_EQ(run({1}, {600}, 1).size(), 600u);
  EXPECT_EQ(batches, Batches({1, 256, 256, 88}));
}

TEST_F(TimeRunsTest, LongOnesRunLessOften) {
  EXPECT_EQ(run({1000}, {30, 10000}).size(), 10u);
  EXPECT_EQ(batches, Batches({1, 10}));
}

TEST_F(TimeRunsTest, ThereAreFiveRunsInAnyCase) {
  EXPECT_EQ(run({1e6}, {30, 10000}).size(), 5u);
  EXPECT_EQ(run({1e6}, {3, 10000}).size(), 3u);
}

TEST_F(TimeRunsTest, SlowOnesRunTwice) {
  EXPECT_EQ(run({1400, 1350}, {30, 10000, 1300}), std::vector<double>({1350}));
  EXPECT_EQ(batches, Batches({1, 1}));
}

TEST_F(TimeRunsTest, OneSlowRunSaysNothing) {
  EXPECT_EQ(run({1400, 1000}, {30, 10000, 1300}),
            std::vector<double>(10, 1000));
}

TEST_F(TimeRunsTest, ShortOnesAreNeverSlow) {
  EXPECT_EQ(run({20, 10}, {30, 10000, 5}), std::vector<double>(30, 10));
}

TEST_F(TimeRunsTest, AnErrorEndsTheRuns) {
  auto fail = [](unsigned, std::vector<double> &) {
    return llvm::createStringError("the device is lost");
  };
  EXPECT_EQ(llvm::toString(timeRuns({30}, 3, fail).takeError()),
            "the device is lost");
}

} // namespace

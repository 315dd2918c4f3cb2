//===----------------------------------------------------------------------===//
// Predictions grow with the work, and rank what must be ranked.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/CostModel.h"

#include "gtest/gtest.h"
#include <limits>

using namespace stof;

static MatmulCounts makeMatmul(int64_t rows, int64_t columns, int64_t k) {
  return {.batches = 1,
          .rows = rows,
          .columns = columns,
          .reduction = k,
          .elementBytes = 2,
          .rowTile = 128,
          .colTile = 128,
          .blockK = 32,
          .warps = 4,
          .stages = 3,
          .usesWarpgroups = false,
          .bytes = 2 * (rows * k + columns * k + rows * columns),
          .epilogue = {.ops = 1, .bytes = 2}};
}

/// One of wgmma with a warp that loads, and one tile of 128 rows and columns
/// for each 128 of `rows`.
static MatmulCounts makeProducedMatmul(int64_t rows) {
  MatmulCounts counts = makeMatmul(rows, 128, 768);
  counts.blockK = 64;
  counts.warps = 8;
  counts.usesWarpgroups = true;
  counts.producers = 1;
  counts.bytes = 0;
  return counts;
}

static AttentionCounts makeAttention(int64_t fullTiles, int64_t partialTiles) {
  return {.batches = 2,
          .heads = 8,
          .keyHeads = 8,
          .queries = 2048,
          .keys = 2048,
          .features = 64,
          .valueFeatures = 64,
          .elementBytes = 2,
          .rowTile = 64,
          .colTile = 64,
          .warps = 4,
          .holdsQueries = false,
          .usesWarpgroups = false,
          .fullTiles = fullTiles,
          .partialTiles = partialTiles,
          .longestKeyTiles = 32};
}

namespace {

class CostModelTest : public ::testing::TestWithParam<const char *> {
protected:
  CostModel model{findTarget(GetParam())->getFigures()};
};

TEST_P(CostModelTest, LargerMatmulsTakeLonger) {
  double last = 0;
  for (int64_t size : {256, 512, 1024, 2048, 4096, 8192}) {
    double time = model.predict(workOf(makeMatmul(size, size, size)));
    EXPECT_GT(time, last) << size;
    last = time;
  }
}

TEST_P(CostModelTest, TheBoundIsTheResourceWithMostWork) {
  KernelWork work;
  work.ctas = 132;
  EXPECT_EQ(model.explain(work).bound, "launch");
  constexpr int64_t much = 1e15;
  for (auto [field, bound] : {std::pair(&KernelWork::vectorOps, "vector"),
                              std::pair(&KernelWork::l2Bytes, "L2"),
                              std::pair(&KernelWork::hbmBytes, "HBM"),
                              std::pair(&KernelWork::steps, "latency")}) {
    KernelWork more = work;
    more.*field = much;
    EXPECT_EQ(model.explain(more).bound, bound);
    EXPECT_EQ(model.explain(more).microseconds, model.predict(more));
  }
}

TEST_P(CostModelTest, TheBoundOfAttention) {
  KernelWork work = workOf(makeAttention(16384, 0));
  for (auto [field, bound] :
       {std::pair(&KernelWork::tensorFlops, "tensor"),
        std::pair(&KernelWork::exponentials, "exponential"),
        std::pair(&KernelWork::vectorOps, "vector"),
        std::pair(&KernelWork::l2Bytes, "L2"),
        std::pair(&KernelWork::hbmBytes, "HBM")}) {
    KernelWork more = work;
    more.*field += 1e15;
    EXPECT_EQ(model.explain(more).bound, bound);
    EXPECT_GT(model.predict(more), model.predict(work));
  }
  // Few CTAs do not hide what they wait for.
  AttentionCounts few = makeAttention(32, 0);
  few.batches = few.heads = few.keyHeads = 1;
  few.queries = 64;
  EXPECT_EQ(model.explain(workOf(few)).bound, "latency");
}

TEST_P(CostModelTest, OneStageOfAttentionWaitsForItsLoads) {
  AttentionCounts counts = makeAttention(16384, 0);
  EXPECT_EQ(workOf(counts).stages, 2);
  counts.rowTile = 16;
  counts.colTile = counts.features = counts.valueFeatures = 128;
  counts.warps = 1;
  KernelWork alone = workOf(counts);
  EXPECT_EQ(alone.stages, 1);
  KernelWork ahead = alone;
  ahead.stages = 2;
  EXPECT_LT(model.predict(ahead), model.predict(alone));
}

TEST_P(CostModelTest, TheBoundOfAPipelinedMatmul) {
  KernelWork work = workOf(makeMatmul(4096, 4096, 4096));
  for (auto [field, bound] : {std::pair(&KernelWork::tensorFlops, "tensor"),
                              std::pair(&KernelWork::l2Bytes, "L2"),
                              std::pair(&KernelWork::vectorOps, "vector"),
                              std::pair(&KernelWork::storedBytes, "stores"),
                              std::pair(&KernelWork::hbmBytes, "HBM")}) {
    KernelWork more = work;
    more.*field *= 1000;
    more.*field += 1e15;
    EXPECT_EQ(model.explain(more).bound, bound);
  }
  // One CTA waits for its loads.
  EXPECT_EQ(model.explain(workOf(makeMatmul(128, 128, 4096))).bound, "latency");
}

TEST_P(CostModelTest, ALongerKTakesLonger) {
  double last = 0;
  for (int64_t k : {128, 512, 1024, 4096, 16384}) {
    double time = model.predict(workOf(makeMatmul(4096, 4096, k)));
    EXPECT_GT(time, last) << k;
    last = time;
  }
}

TEST_P(CostModelTest, TilesOfOneWaveAreNotShared) {
  // A tile for each of the CTAs.
  MatmulCounts alone = makeProducedMatmul(model.getNumSMs() * 128),
               shared = alone;
  shared.resident = 1;
  EXPECT_FALSE(model.sharesTiles(workOf(alone)));
  EXPECT_FALSE(model.sharesTiles(workOf(shared)));
  EXPECT_EQ(model.predict(workOf(shared)), model.predict(workOf(alone)));
  shared.rows += 1;
  EXPECT_TRUE(model.sharesTiles(workOf(shared)));
  EXPECT_GT(model.predict(workOf(shared)), model.predict(workOf(alone)));
}

TEST_P(CostModelTest, ALonePersistentCTATakesLessTimeThanCTAsInTurn) {
  // Both have an SM for each CTA.
  MatmulCounts turns = makeProducedMatmul(16 * model.getNumSMs() * 128),
               shared = turns;
  turns.stages = shared.stages = 6;
  shared.resident = 1;
  EXPECT_LT(model.predict(workOf(shared)), model.predict(workOf(turns)));
}

TEST_P(CostModelTest, MoreResidentCTAsTakeNoLonger) {
  double last = std::numeric_limits<double>::infinity();
  for (int64_t resident : {1, 2, 4}) {
    // Whole rounds of each.
    MatmulCounts counts = makeProducedMatmul(8 * model.getNumSMs() * 128);
    counts.resident = resident;
    double time = model.predict(workOf(counts));
    EXPECT_LE(time, last) << resident;
    last = time;
  }
}

TEST_P(CostModelTest, GroupsInTurnHideEpilogues) {
  MatmulCounts one = makeProducedMatmul(16 * model.getNumSMs() * 128),
               two = one;
  one.resident = two.resident = 1;
  two.groups = 2;
  EXPECT_LT(model.predict(workOf(two)), model.predict(workOf(one)));
  mlir::MLIRContext context;
  // Each group has registers of its own.
  EXPECT_EQ(workOf(two).ctaRegisters * 9, workOf(one).ctaRegisters * 17);
  KernelWork again =
      KernelWork::fromAttribute(workOf(two).toAttribute(&context));
  EXPECT_EQ(model.predict(again), model.predict(workOf(two)));
}

TEST_P(CostModelTest, FewWarpsExposeEpilogues) {
  auto countExtra = [&](int64_t warps) {
    MatmulCounts counts = makeProducedMatmul(128);
    counts.warps = warps;
    double plain = model.predict(workOf(counts));
    counts.epilogue.ops = 20;
    return model.predict(workOf(counts)) - plain;
  };
  EXPECT_GT(countExtra(8), 0);
  EXPECT_GT(countExtra(4), 1.5 * countExtra(8));
}

TEST_P(CostModelTest, MoreStagesTakeNoLongerWithProducers) {
  double last = std::numeric_limits<double>::infinity();
  for (int64_t stages : {2, 3, 4, 6}) {
    MatmulCounts counts = makeProducedMatmul(model.getNumSMs() * 128);
    counts.stages = stages;
    double time = model.predict(workOf(counts));
    EXPECT_LE(time, last) << stages;
    last = time;
  }
}

TEST_P(CostModelTest, PersistentAttentionPaysForItsLongestRow) {
  AttentionCounts even = makeAttention(4 * 16384, 0);
  even.batches *= 4;
  even.usesWarpgroups = true;
  even.producers = 1;
  even.resident = 2;
  AttentionCounts uneven = even;
  uneven.longestKeyTiles *= 2;
  EXPECT_TRUE(model.sharesTiles(workOf(even)));
  EXPECT_GT(model.predict(workOf(uneven)), model.predict(workOf(even)));
  // All row tiles run at once on more CTAs.
  AttentionCounts alone = even, many = even;
  alone.resident = 0;
  many.resident = 32;
  EXPECT_FALSE(model.sharesTiles(workOf(many)));
  EXPECT_EQ(model.predict(workOf(many)), model.predict(workOf(alone)));
}

TEST_P(CostModelTest, ClaimedTilesEndTogether) {
  AttentionCounts shared = makeAttention(0, 0);
  shared.batches *= 4;
  shared.usesWarpgroups = true;
  shared.producers = 1;
  shared.resident = 2;
  auto predict = [&](int64_t queries, int64_t longest, bool claims) {
    AttentionCounts counts = shared;
    counts.queries = queries;
    counts.fullTiles = 32 * 64 * queries / 64;
    counts.longestKeyTiles = longest;
    counts.claims = claims;
    return model.predict(workOf(counts));
  };
  // In the last round of CTAs there is room for one more row tile of each head.
  constexpr int64_t fewer = 2048, more = 2048 + 64;
  for (bool claims : {false, true})
    EXPECT_NEAR(predict(fewer, 32, claims) / predict(more, 32, claims), 1, .01);
  // Of different lengths, claimed ones leave no room.
  EXPECT_NEAR(predict(fewer, 64, true) / predict(more, 64, true),
              static_cast<double>(fewer) / more, .01);
  EXPECT_LT(predict(more, 32, true), predict(more, 32, false));
  EXPECT_LT(predict(more, 64, true), predict(more, 64, false));
  mlir::MLIRContext context;
  AttentionCounts claimed = shared;
  claimed.fullTiles = 4 * 16384;
  claimed.claims = true;
  KernelWork work = workOf(claimed);
  KernelWork again = KernelWork::fromAttribute(work.toAttribute(&context));
  EXPECT_TRUE(again.claims);
  EXPECT_EQ(model.predict(again), model.predict(work));
}

TEST_P(CostModelTest, WarpgroupsOfProducersNeedAnSM) {
  AttentionCounts one = makeAttention(16384, 0);
  one.usesWarpgroups = true;
  one.producers = 1;
  AttentionCounts two = one;
  two.rowTile = 128;
  two.warps = 8;
  two.producers = 4;
  EXPECT_GT(model.countResident(workOf(one)), 1);
  EXPECT_EQ(model.countResident(workOf(two)), 1);
}

TEST_P(CostModelTest, EntriesOfListsAreWaitedFor) {
  for (bool usesWarpgroups : {false, true}) {
    AttentionCounts counts = makeAttention(4096, 0);
    counts.usesWarpgroups = usesWarpgroups;
    double closed = model.predict(workOf(counts));
    counts.readsLists = true;
    EXPECT_GT(model.predict(workOf(counts)), closed);
  }
}

TEST_P(CostModelTest, OneCTAMoreThanARoundTakesLonger) {
  AttentionCounts counts = makeAttention(0, 0);
  counts.batches = counts.heads = 1;
  counts.longestKeyTiles = 4;
  int64_t resident = model.countResident(workOf(counts));
  auto predict = [&](int64_t ctas) {
    counts.queries = ctas * counts.rowTile;
    counts.fullTiles = 4 * ctas;
    return model.predict(workOf(counts));
  };
  int64_t whole = resident * model.getNumSMs();
  EXPECT_GT(predict(whole + 1) - predict(whole),
            10 * (predict(whole) - predict(whole - 1)));
}

TEST_P(CostModelTest, RegistersOfAMaskLeaveRoomForFewerCTAs) {
  AttentionCounts counts = makeAttention(16384, 0);
  counts.usesWarpgroups = true;
  counts.producers = 1;
  int64_t few = workOf(counts).ctaRegisters;
  int64_t resident = model.countResident(workOf(counts));
  counts.maskRegisters = 60;
  EXPECT_GT(workOf(counts).ctaRegisters, few);
  EXPECT_LT(model.countResident(workOf(counts)), resident);
}

TEST_P(CostModelTest, ProducersHaveRegistersAndHideLoads) {
  MatmulCounts with = makeProducedMatmul(16 * model.getNumSMs() * 128),
               without = with;
  without.producers = 0;
  EXPECT_EQ(workOf(with).ctaRegisters * 8, workOf(without).ctaRegisters * 9);
  EXPECT_EQ(workOf(with).ctas, workOf(without).ctas);
  EXPECT_NE(model.predict(workOf(with)), model.predict(workOf(without)));
}

TEST_P(CostModelTest, MoreTilesOfAMaskTakeLonger) {
  double last = 0;
  for (int64_t tiles : {512, 2048, 4096, 8192, 16384}) {
    double time = model.predict(workOf(makeAttention(tiles, 0)));
    EXPECT_GT(time, last) << tiles;
    last = time;
  }
}

TEST_P(CostModelTest, PartialTilesTakeNoLessThanFullOnes) {
  EXPECT_GE(model.predict(workOf(makeAttention(0, 8192))),
            model.predict(workOf(makeAttention(8192, 0))));
}

TEST_P(CostModelTest, WarpgroupsTakeLessTime) {
  AttentionCounts warps = makeAttention(16384, 0), groups = warps;
  groups.usesWarpgroups = true;
  EXPECT_LT(model.predict(workOf(groups)), model.predict(workOf(warps)));
}

TEST_P(CostModelTest, ALongRowTakesLonger) {
  AttentionCounts even = makeAttention(4096, 0), uneven = even;
  even.longestKeyTiles = 8;
  EXPECT_LT(model.predict(workOf(even)), model.predict(workOf(uneven)));
}

TEST_P(CostModelTest, ALoneCTAWithMoreWarpsTakesLessTime) {
  AttentionCounts few = makeAttention(32, 0);
  few.batches = few.heads = few.keyHeads = 1;
  few.queries = 64;
  AttentionCounts many = few;
  few.warps = 2;
  EXPECT_LT(model.predict(workOf(many)), model.predict(workOf(few)));
}

TEST_P(CostModelTest, LessOccupancyTakesLonger) {
  KernelWork high = workOf(makeAttention(16384, 0)), low = high;
  low.ctaBytes = 200 << 10;
  EXPECT_LT(model.predict(high), model.predict(low));
  low = high;
  low.ctaRegisters = 1 << 16;
  EXPECT_LT(model.predict(high), model.predict(low));
}

TEST_P(CostModelTest, MoreBytesOfMemoryTakeNoLess) {
  double last = 0;
  for (int64_t bytes = 1 << 16; bytes <= int64_t(1) << 32; bytes *= 4) {
    double time = model.predict(workOfElements(1 << 20, 4, 1024, bytes));
    EXPECT_GE(time, last) << bytes;
    last = time;
  }
}

TEST_P(CostModelTest, CTAsOnDifferentSMsTakeNoLongerThanOne) {
  constexpr int64_t elements = 1024, opsPerElement = 4096;
  auto predict = [&](int64_t ctas) {
    return model.predict(
        workOfElements(ctas * elements, opsPerElement, elements, 0));
  };
  int64_t numSMs = model.getNumSMs();
  EXPECT_DOUBLE_EQ(predict(numSMs / 2), predict(1));
  EXPECT_DOUBLE_EQ(predict(numSMs), predict(1));
  EXPECT_GT(predict(2 * numSMs), predict(numSMs));
  EXPECT_LT(predict(2 * numSMs), 3 * predict(numSMs));
}

TEST_P(CostModelTest, NoKernelTakesLessThanALaunch) {
  EXPECT_GT(model.predict(workOfElements(1, 1, 1, 8)), 1);
}

TEST_P(CostModelTest, WorkSurvivesItsAttribute) {
  mlir::MLIRContext context;
  KernelWork work = workOf(makeMatmul(1024, 768, 3072));
  KernelWork again = KernelWork::fromAttribute(work.toAttribute(&context));
  EXPECT_EQ(model.predict(again), model.predict(work));
  EXPECT_EQ(again.tensorFlops, work.tensorFlops);
  EXPECT_EQ(again.epilogueOps, work.epilogueOps);
  EXPECT_EQ(again.storedBytes, work.storedBytes);
  MatmulCounts shared = makeProducedMatmul(1 << 20);
  shared.resident = 2;
  work = workOf(shared);
  again = KernelWork::fromAttribute(work.toAttribute(&context));
  EXPECT_EQ(again.producers, 1);
  EXPECT_EQ(again.resident, 2);
  EXPECT_EQ(model.predict(again), model.predict(work));
  work = workOf(makeAttention(1024, 64));
  again = KernelWork::fromAttribute(work.toAttribute(&context));
  EXPECT_EQ(model.predict(again), model.predict(work));
}

INSTANTIATE_TEST_SUITE_P(Targets, CostModelTest,
                         ::testing::Values("sm_80", "sm_90a"));

TEST(CostModelTargets, FiguresOfOthersStandForThoseNotMeasured) {
  const TargetInfo &consumer = *findTarget("sm_120");
  EXPECT_FALSE(consumer.hasOwnFigures());
  EXPECT_EQ(CostModel(consumer.getFigures()).getDevice(), "H200");
}

} // namespace

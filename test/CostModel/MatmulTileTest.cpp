//===----------------------------------------------------------------------===//
// Tiles that a kernel can have, and the work of the kernels that have them.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/MatmulTile.h"
#include "../lib/GroupCases.h"
#include "stof/Support/WarpShape.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace stof;
using namespace stof::test;

/// The row sums of a matmul of `rows` rows and 128 columns.
static std::string summed(int64_t rows) {
  return llvm::formatv(R"(
    (%x: tensor<{0}x256xf16>, %w: tensor<256x128xf16>, %c: tensor<{0}x128xf16>,
     %d: tensor<{0}xf16>) -> tensor<{0}xf16> {{
      %0 = linalg.matmul ins(%x, %w : tensor<{0}x256xf16>, tensor<256x128xf16>)
             outs(%c : tensor<{0}x128xf16>) -> tensor<{0}x128xf16>
      %1 = linalg.reduce {{arith.addf} ins(%0 : tensor<{0}x128xf16>)
             outs(%d : tensor<{0}xf16>) dimensions = [1]
      return %1 : tensor<{0}xf16>
    })",
                       rows)
      .str();
}

/// A matmul of `rows` rows, 768 columns and a K of 768.
static std::string plain(int64_t rows) {
  return llvm::formatv(R"(
    (%x: tensor<{0}x768xf16>, %w: tensor<768x768xf16>, %c: tensor<{0}x768xf16>)
      -> tensor<{0}x768xf16> {{
      %0 = linalg.matmul ins(%x, %w : tensor<{0}x768xf16>, tensor<768x768xf16>)
             outs(%c : tensor<{0}x768xf16>) -> tensor<{0}x768xf16>
      return %0 : tensor<{0}x768xf16>
    })",
                       rows)
      .str();
}

/// A matmul of another matmul.
static constexpr StringLiteral backToBack = R"(
(%x: tensor<256x128xf16>, %u: tensor<128x128xf16>, %v: tensor<128x256xf16>,
 %c: tensor<256x128xf16>, %d: tensor<256x256xf16>) -> tensor<256x256xf16> {
  %0 = linalg.matmul {first}
         ins(%x, %u : tensor<256x128xf16>, tensor<128x128xf16>)
         outs(%c : tensor<256x128xf16>) -> tensor<256x128xf16>
  %1 = linalg.matmul {second}
         ins(%0, %v : tensor<256x128xf16>, tensor<128x256xf16>)
         outs(%d : tensor<256x256xf16>) -> tensor<256x256xf16>
  return %1 : tensor<256x256xf16>
})";

/// The elementwise product of two matmuls of the same rows.
static constexpr StringLiteral gated = R"(
(%x: tensor<2048x2048xf16>, %u: tensor<2048x8192xf16>,
 %v: tensor<2048x8192xf16>, %c: tensor<2048x8192xf16>) -> tensor<2048x8192xf16> {
  %0 = linalg.matmul ins(%x, %u : tensor<2048x2048xf16>, tensor<2048x8192xf16>)
         outs(%c : tensor<2048x8192xf16>) -> tensor<2048x8192xf16>
  %1 = linalg.matmul ins(%x, %v : tensor<2048x2048xf16>, tensor<2048x8192xf16>)
         outs(%c : tensor<2048x8192xf16>) -> tensor<2048x8192xf16>
  %2 = linalg.mul ins(%0, %1 : tensor<2048x8192xf16>, tensor<2048x8192xf16>)
         outs(%c : tensor<2048x8192xf16>) -> tensor<2048x8192xf16>
  return %2 : tensor<2048x8192xf16>
})";

/// A matmul, its rounding and its exponential.
static constexpr StringLiteral powers = R"(
(%x: tensor<256x128xf16>, %w: tensor<128x128xf16>, %c: tensor<256x128xf32>,
 %d: tensor<256x128xf16>) -> tensor<256x128xf16> {
  %0 = linalg.matmul {sum}
         ins(%x, %w : tensor<256x128xf16>, tensor<128x128xf16>)
         outs(%c : tensor<256x128xf32>) -> tensor<256x128xf32>
  %1 = linalg.map {arith.truncf} ins(%0 : tensor<256x128xf32>)
         outs(%d : tensor<256x128xf16>)
  %2 = linalg.exp ins(%1 : tensor<256x128xf16>)
         outs(%d : tensor<256x128xf16>) -> tensor<256x128xf16>
  return %2 : tensor<256x128xf16>
})";

static KernelWork countWork(ArrayRef<Operation *> ops,
                            const MatmulTile &shape) {
  PlanResult<GroupPlan> plan = GroupPlan::of(ops);
  if (!plan)
    llvm::report_fatal_error(plan.getRefusal().reason.c_str());
  return countMatmulWork(*plan, shape, /*bytes=*/0);
}

namespace {

//===----------------------------------------------------------------------===//
// chooseMatmulTiles
//===----------------------------------------------------------------------===//

TEST(MatmulTileTest, RowWarpsShareNoMMATile) {
  for (int64_t rows : {16, 32, 64, 4096}) {
    GroupCase group(summed(rows));
    PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
    ASSERT_TRUE(plan);
    SmallVector<MatmulTile> tiles =
        chooseMatmulTiles({&*plan}, findTarget("sm_80"));
    ASSERT_EQ(tiles.size(), 1u);
    EXPECT_LE(tiles.front().rows, rows);
    EXPECT_EQ(tiles.front().rows % (mmaRows * tiles.front().rowWarps), 0)
        << rows;
  }
}

TEST(MatmulTileTest, SeveralRightOperandsLeaveRoomForASecondCTA) {
  GroupCase group(gated);
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->getContractions().size(), 2u);
  // Of those without producers: others have the shared memory of an SM.
  const TargetInfo *target = findTarget("sm_90a");
  CostModel model(target->getFigures());
  std::optional<MatmulTile> fastest;
  double least = std::numeric_limits<double>::infinity();
  for (ArrayRef<MatmulTile> listed : listMatmulTiles({&*plan}, target)) {
    double time =
        model.predict(countMatmulWork(*plan, listed.front(), /*bytes=*/0));
    if (listed.front().producers > 0 || time >= least)
      continue;
    least = time;
    fastest = listed.front();
  }
  ASSERT_TRUE(fastest);
  const MatmulTile &tile = *fastest;
  constexpr int64_t elementBytes = 2, sharedCapacity = 228 << 10;
  int64_t bytes =
      tile.stages * tile.blockK * elementBytes * (tile.rows + 2 * tile.columns);
  EXPECT_LE(2 * bytes, sharedCapacity);
  EXPECT_GT(tile.stages, 2);
}

//===----------------------------------------------------------------------===//
// listMatmulTiles
//===----------------------------------------------------------------------===//

TEST(MatmulTileTest, ListedTilesFitAndTheChosenOneIsAmongThem) {
  for (StringRef name : {"sm_80", "sm_90a", "sm_120"}) {
    const TargetInfo *target = findTarget(name);
    GroupCase group(summed(4096));
    PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
    ASSERT_TRUE(plan);
    std::vector<SmallVector<MatmulTile>> listed =
        listMatmulTiles({&*plan}, target);
    EXPECT_TRUE(
        llvm::is_contained(listed, chooseMatmulTiles({&*plan}, target)));
    for (ArrayRef<MatmulTile> tiles : listed) {
      ASSERT_EQ(tiles.size(), 1u);
      const MatmulTile &tile = tiles.front();
      EXPECT_LE(tile.stages * tile.blockK * 2 * (tile.rows + tile.columns),
                target->getSharedBytes());
      EXPECT_EQ(llvm::count(listed, tiles), 1) << "a tile is listed once";
    }
    // Two operands of 128 bytes a row in up to six stages.
    EXPECT_GT(listed.size(), 6u) << name.str();
  }
}

TEST(MatmulTileTest, FullNTilesHaveWholeWarpgroups) {
  GroupCase group(summed(4096));
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  SmallVector<int64_t> rowWarps;
  for (ArrayRef<MatmulTile> tiles :
       listMatmulTiles({&*plan}, findTarget("sm_90a"))) {
    const MatmulTile &tile = tiles.front();
    if (countMatmulWork(*plan, tile, /*bytes=*/0).usesWarpgroups &&
        !llvm::is_contained(rowWarps, tile.rowWarps))
      rowWarps.push_back(tile.rowWarps);
  }
  EXPECT_EQ(rowWarps, (SmallVector<int64_t>{8, 4}));
}

TEST(MatmulTileTest, AttributesKeepTiles) {
  MLIRContext context;
  context.loadDialect<StofDialect>();
  for (const MatmulTile &tile : {MatmulTile{128, 96, 64, 4, 2, 5},
                                 MatmulTile{128, 128, 64, 8, 1, 3, 1, 2}})
    EXPECT_EQ(MatmulTile::fromAttribute(tile.toAttribute(&context)), tile);
}

TEST(MatmulTileTest, ManyTilesAreSharedByCTAsWithProducersAndAllStages) {
  GroupCase group(plain(32768));
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  SmallVector<MatmulTile> tiles =
      chooseMatmulTiles({&*plan}, findTarget("sm_90a"));
  ASSERT_EQ(tiles.size(), 1u);
  const MatmulTile &tile = tiles.front();
  EXPECT_GT(tile.producers, 0);
  ASSERT_GT(tile.resident, 0);
  constexpr int64_t elementBytes = 2, sharedCapacity = 228 << 10;
  int64_t stage = tile.blockK * elementBytes * (tile.rows + tile.columns);
  EXPECT_LE(tile.resident * tile.stages * stage, sharedCapacity);
  // Powers of two, of which the next one does not fit.
  EXPECT_TRUE(llvm::isPowerOf2_64(tile.stages)) << tile.stages;
  EXPECT_GT(tile.resident * 2 * tile.stages * stage, sharedCapacity);
}

TEST(MatmulTileTest, AWarpgroupComputesMoreRowsOnlyInTurnWithAnother) {
  GroupCase group(plain(32768));
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  constexpr int64_t warps = 4;
  int64_t found = 0;
  for (ArrayRef<MatmulTile> tiles :
       listMatmulTiles({&*plan}, findTarget("sm_90a"))) {
    const MatmulTile &tile = tiles.front();
    if (tile.columnWarps > 1 || tile.rows == tile.rowWarps * mmaRows)
      continue;
    ++found;
    // Its accumulators take the registers of producers.
    EXPECT_EQ(tile.rowWarps, warps);
    EXPECT_EQ(tile.groups, 2);
    EXPECT_EQ(tile.producers, warps);
  }
  EXPECT_GT(found, 0);
}

TEST(MatmulTileTest, FewTilesAreNotShared) {
  for (int64_t rows : {64, 1024, 2048}) {
    GroupCase group(plain(rows));
    PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
    ASSERT_TRUE(plan);
    const TargetInfo *target = findTarget("sm_90a");
    SmallVector<MatmulTile> tiles = chooseMatmulTiles({&*plan}, target);
    ASSERT_EQ(tiles.size(), 1u);
    KernelWork work = countMatmulWork(*plan, tiles.front(), /*bytes=*/0);
    if (work.ctas <= CostModel(target->getFigures()).getNumSMs()) {
      EXPECT_EQ(tiles.front().resident, 0) << rows;
    }
    // A schedule can still ask for it.
    EXPECT_TRUE(llvm::any_of(listMatmulTiles({&*plan}, target),
                             [](ArrayRef<MatmulTile> listed) {
                               return listed.front().resident > 0;
                             }));
  }
}

TEST(MatmulTileTest, ListedPersistentTilesFitOnAnSM) {
  constexpr int64_t elementBytes = 2;
  GroupCase group(plain(32768));
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  const TargetInfo *target = findTarget("sm_90a");
  const DeviceFigures &figures = target->getFigures();
  for (ArrayRef<MatmulTile> tiles : listMatmulTiles({&*plan}, target)) {
    const MatmulTile &tile = tiles.front();
    KernelWork work = countMatmulWork(*plan, tile, /*bytes=*/0);
    EXPECT_EQ(work.resident, tile.resident);
    EXPECT_EQ(work.producers, tile.producers);
    EXPECT_LE(tile.resident * work.ctaRegisters, figures.registers);
    // A CTA has a kilobyte of the system, and at most as much for alignment.
    constexpr int64_t reserved = 2048;
    EXPECT_LE(tile.resident * (tile.stages * tile.blockK * elementBytes *
                                   (tile.rows + tile.columns) +
                               reserved),
              figures.sharedCapacity);
  }
}

TEST(MatmulTileTest, BranchesShareTheirRoles) {
  GroupCase first(plain(4096)), second(plain(4096));
  PlanResult<GroupPlan> one = GroupPlan::of(first.getOps()),
                        other = GroupPlan::of(second.getOps());
  ASSERT_TRUE(one && other);
  bool haveProducers = false;
  for (ArrayRef<MatmulTile> tiles :
       listMatmulTiles({&*one, &*other}, findTarget("sm_90a"))) {
    const MatmulTile &tile = tiles[0], &same = tiles[1];
    EXPECT_EQ(tile.producers, same.producers);
    EXPECT_EQ(tile.resident, same.resident);
    EXPECT_EQ(tile.groups, same.groups);
    haveProducers |= tile.producers > 0;
  }
  EXPECT_TRUE(haveProducers);
}

// Those that all warps load for have as few as leave registers for loads.
TEST(MatmulTileTest, SeveralContractionsHaveWideTilesOnlyWithProducers) {
  GroupCase group(gated);
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  int64_t most = 0, mostWithProducers = 0;
  for (ArrayRef<MatmulTile> tiles :
       listMatmulTiles({&*plan}, findTarget("sm_90a"))) {
    const MatmulTile &tile = tiles.front();
    int64_t perThread =
        2 * tile.rows * tile.columns / (tile.getNumWarps() * lanesPerWarp);
    int64_t &known = tile.producers > 0 ? mostWithProducers : most;
    known = std::max(known, perThread);
  }
  EXPECT_EQ(most, 64);
  EXPECT_EQ(mostWithProducers, 128);
}

//===----------------------------------------------------------------------===//
// countMatmulWork
//===----------------------------------------------------------------------===//

TEST(MatmulTileTest, WarpgroupsReadSwizzledRowsOfBothOperands) {
  GroupCase group(backToBack);
  auto usesWarpgroups = [&](int64_t rows, int64_t columns, int64_t blockK) {
    return countWork(group.get("second").getOperation(),
                     {rows, columns, blockK, 4, 1, 3})
        .usesWarpgroups;
  };
  EXPECT_TRUE(usesWarpgroups(64, 64, 64));
  // Rows of 128 bytes: along K in the left operand, along the columns in the
  // right one.
  EXPECT_FALSE(usesWarpgroups(64, 64, 32));
  EXPECT_FALSE(usesWarpgroups(64, 32, 64));
}

TEST(MatmulTileTest, EpiloguesComputeFunctionsAndStoreTheirResults) {
  GroupCase group(powers);
  MatmulTile shape{64, 128, 64, 4, 1, 3};
  KernelWork all = countWork(group.getOps(), shape),
             sum = countWork(group.get("sum").getOperation(), shape);
  EXPECT_GT(all.epilogueOps, sum.epilogueOps);
  // f16 instead of f32.
  EXPECT_EQ(sum.storedBytes, 256 * 128 * 4);
  EXPECT_EQ(all.storedBytes, 256 * 128 * 2);
}

TEST(MatmulTileTest, EachColumnTileRepeatsTheContractionBefore) {
  GroupCase group(backToBack);
  MatmulTile shape{64, 128, 64, 4, 1, 3}, narrow = shape;
  narrow.columns = shape.blockK;
  KernelWork both = countWork(group.getOps(), shape),
             first = countWork(group.get("first").getOperation(), narrow),
             second = countWork(group.get("second").getOperation(), shape);
  int64_t columnTiles = 256 / shape.columns;
  EXPECT_EQ(both.tensorFlops,
            second.tensorFlops + columnTiles * first.tensorFlops);
  EXPECT_EQ(both.l2Bytes, second.l2Bytes + columnTiles * first.l2Bytes);
}

TEST(MatmulTileTest, TheContractionBeforeHasAccumulatorsOfItsOwn) {
  GroupCase group(backToBack);
  MatmulTile shape{64, 128, 64, 4, 1, 3};
  // The result of the contraction before is the K tile of the next.
  EXPECT_EQ(countWork(group.getOps(), shape).ctaRegisters,
            countWork(group.get("second").getOperation(), shape).ctaRegisters +
                shape.rows * shape.blockK);
}

} // namespace
